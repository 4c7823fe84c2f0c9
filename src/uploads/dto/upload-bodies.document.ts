import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiQuery, getSchemaPath } from '@nestjs/swagger';
import { UploadCsvDto, UploadFieldsDto } from './upload-csv.dto.js';

/** {@link UploadCsvDto} as a form. */
class UploadCsvForm extends UploadFieldsDto {
  @ApiProperty({ format: 'binary', description: 'CSV text with a header line, up to 200 MB, as a file or as text.' })
  data!: string;
}

/** The three forms of an upload, for the OpenAPI document. */
export const UPLOAD_CSV_BODY = {
  required: true,
  content: {
    'application/json': { schema: { $ref: getSchemaPath(UploadCsvDto) } },
    'multipart/form-data': { schema: { $ref: getSchemaPath(UploadCsvForm) } },
    'text/csv': { schema: { type: 'string', description: 'CSV text with a header line, up to 200 MB.' } },
  },
};

/** The two forms of an insert, for the OpenAPI document. */
export const INSERT_BODY = {
  required: true,
  content: {
    'text/csv': { schema: { type: 'string', description: 'CSV text with a header line, up to 1.2 GB.' } },
    'application/x-ndjson': { schema: { type: 'string', description: 'One JSON object a line, up to 1.2 GB.' } },
  },
};

/** Documents the fields of an upload that stand in the query string where the body is the CSV itself. */
export function ApiUploadCsv(): MethodDecorator {
  const description = 'As in the JSON body, where the body is the CSV itself.';
  return applyDecorators(
    ApiExtraModels(UploadCsvDto, UploadCsvForm),
    ApiQuery({ name: 'table_name', required: false, type: String, description }),
    ApiQuery({ name: 'description', required: false, type: String, description }),
    ApiQuery({ name: 'is_private', required: false, type: Boolean, description }),
  );
}
