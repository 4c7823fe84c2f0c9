import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiQuery, getSchemaPath } from '@nestjs/swagger';
import { UploadCsvDto, UploadFieldsDto, UploadInQueryDto } from './upload-csv.dto.js';

/** {@link UploadCsvDto} as a form. */
class UploadCsvForm extends UploadFieldsDto {
  @ApiProperty({ format: 'binary', description: 'CSV text with a header line, up to 200 MB, as a file or as text.' })
  data!: string;
}

const GZIP = 'May be compressed with Content-Encoding: gzip; the size limit applies to the uncompressed data.';

/** A body that is sent as it is. */
const BYTES = { type: 'string', format: 'binary' };

/** The bodies of an upload, for the OpenAPI document. */
export const UPLOAD_CSV_BODY = {
  required: true,
  description: GZIP,
  content: {
    'application/json': { schema: { $ref: getSchemaPath(UploadCsvDto) } },
    'multipart/form-data': { schema: { $ref: getSchemaPath(UploadCsvForm) } },
    'text/csv': { schema: { ...BYTES, description: 'CSV text with a header line, up to 200 MB.' } },
  },
};

/** The bodies of an insert. The last is for clients that cannot send text of the other types. */
export const INSERT_BODY = {
  required: true,
  description: GZIP,
  content: {
    'text/csv': { schema: { ...BYTES, description: 'CSV text with a header line, up to 1.2 GB.' } },
    'application/x-ndjson': { schema: { ...BYTES, description: 'One JSON object a line, up to 1.2 GB.' } },
    'application/octet-stream': {
      schema: { ...BYTES, description: 'CSV or, with `format=ndjson`, a JSON object a line.' },
    },
  },
};

/** Documents the fields of an upload that stand in the query string. */
export function ApiUploadCsv(): MethodDecorator {
  return applyDecorators(ApiExtraModels(UploadCsvDto, UploadCsvForm), ApiQuery({ type: UploadInQueryDto }));
}
