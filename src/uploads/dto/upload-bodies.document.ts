import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiQuery, getSchemaPath } from '@nestjs/swagger';
import { DELIMITER_PATTERN } from '../../processes/ingest/csv-delimiter.js';
import { COLUMN_NAMES } from '../../processes/ingest/csv-options.js';
import { ROW_FORMATS } from '../row-format.js';
import { COLUMN_NAMES_DESCRIPTION, DELIMITER_DESCRIPTION, UploadCsvDto, UploadFieldsDto } from './upload-csv.dto.js';

/** {@link UploadCsvDto} as a form. */
class UploadCsvForm extends UploadFieldsDto {
  @ApiProperty({ format: 'binary', description: 'CSV text with a header line, up to 200 MB, as a file or as text.' })
  data!: string;
}

const GZIP = 'May be compressed with Content-Encoding: gzip; the size limit applies to the uncompressed data.';

/** A body that is sent as it is. */
const BYTES = { type: 'string', format: 'binary' };

/** The three forms of an upload, for the OpenAPI document. */
export const UPLOAD_CSV_BODY = {
  required: true,
  description: GZIP,
  content: {
    'application/json': { schema: { $ref: getSchemaPath(UploadCsvDto) } },
    'multipart/form-data': { schema: { $ref: getSchemaPath(UploadCsvForm) } },
    'text/csv': { schema: { ...BYTES, description: 'CSV text with a header line, up to 200 MB.' } },
  },
};

/** The forms of an insert, for the OpenAPI document. The last is for clients that cannot send text of these types. */
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

/** Documents what the query string of an insert can say. */
export function ApiInsertRows(): MethodDecorator {
  return applyDecorators(
    ApiQuery({
      name: 'format',
      required: false,
      enum: [...ROW_FORMATS],
      description: 'How the rows are written, where the Content-Type does not say it. `csv` when absent.',
    }),
    ApiCsvQuery(),
  );
}

/** Documents how a CSV is to be read: the fields of {@link CsvFieldsDto} in the query string. */
function ApiCsvQuery(): MethodDecorator {
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
