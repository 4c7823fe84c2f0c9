import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiQuery, getSchemaPath } from '@nestjs/swagger';
import { DELIMITER_PATTERN } from '../ingest/csv-delimiter.js';
import { COLUMN_NAMES } from '../ingest/csv-options.js';
import { COLUMN_NAMES_DESCRIPTION, DELIMITER_DESCRIPTION, UploadCsvDto, UploadFieldsDto } from './upload-csv.dto.js';

/** {@link UploadCsvDto} as a form. */
class UploadCsvForm extends UploadFieldsDto {
  @ApiProperty({ format: 'binary', description: 'CSV text with a header line, up to 200 MB, as a file or as text.' })
  data!: string;
}

const GZIP = 'May be compressed with Content-Encoding: gzip; the size limit applies to the uncompressed data.';

/** The three forms of an upload, for the OpenAPI document. */
export const UPLOAD_CSV_BODY = {
  required: true,
  description: GZIP,
  content: {
    'application/json': { schema: { $ref: getSchemaPath(UploadCsvDto) } },
    'multipart/form-data': { schema: { $ref: getSchemaPath(UploadCsvForm) } },
    'text/csv': { schema: { type: 'string', description: 'CSV text with a header line, up to 200 MB.' } },
  },
};

/** The two forms of an insert, for the OpenAPI document. */
export const INSERT_BODY = {
  required: true,
  description: GZIP,
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
    ApiCsvQuery(),
  );
}

/** Documents how a CSV is to be read: the fields of {@link CsvFieldsDto} in the query string. */
export function ApiCsvQuery(): MethodDecorator {
  const isCsv = 'Only for CSV. ';
  return applyDecorators(
    ApiQuery({
      name: 'delimiter',
      required: false,
      description: isCsv + DELIMITER_DESCRIPTION,
      schema: { type: 'string', pattern: DELIMITER_PATTERN },
    }),
    ApiQuery({
      name: 'column_names',
      required: false,
      enum: [...COLUMN_NAMES],
      description: isCsv + COLUMN_NAMES_DESCRIPTION,
    }),
  );
}
