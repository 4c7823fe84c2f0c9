import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { InvalidRequestError } from '../../http/common.errors.js';
import { OptionalBoolean, OptionalChoice, OptionalFlag, OptionalText, Text, toFlag } from '../../http/validation.js';
import { DELIMITER_PATTERN, DELIMITER_RULE, parseDelimiter } from '../../processes/ingest/csv-delimiter.js';
import { COLUMN_NAMES, type ColumnNames, type CsvOptions } from '../../processes/ingest/csv-options.js';
import type { NewRows, NewUpload } from '../new-upload.js';
import { ROW_FORMATS, type RowFormat, rowFormatOf } from '../row-format.js';
import { TABLE_NAME_PATTERN } from '../table-name.js';
import type { UploadRequest } from '../upload-request.decorator.js';

const DELIMITER_DESCRIPTION =
  `Only for CSV. The character between values: ${DELIMITER_RULE}. When absent, it is found among comma, semicolon, ` +
  'tab and pipe, from the header and the first rows.';
const COLUMN_NAMES_DESCRIPTION =
  'Only for CSV. `normalize` replaces names that are empty, begin with a digit or a special character, or repeat the ' +
  'name of another column; the reply lists them. `keep`, the default, refuses them.';
const AS_IN_BODY = { description: 'As in the JSON body, where the body is the CSV itself.' };

/** Options for reading CSV text. They can also stand in the query string, with any body. */
export class CsvFieldsDto {
  @OptionalText({ maxLength: 20, description: DELIMITER_DESCRIPTION, pattern: DELIMITER_PATTERN, example: ';' })
  delimiter?: string;

  @OptionalChoice(COLUMN_NAMES, { description: COLUMN_NAMES_DESCRIPTION })
  column_names?: ColumnNames;
}

/**
 * The fields of an upload beside its data. They can also stand in a form or, beside a body that is
 * the CSV itself, in the query string.
 */
export class UploadFieldsDto extends CsvFieldsDto {
  @Text({
    maxLength: 1_000,
    pattern: TABLE_NAME_PATTERN,
    description: 'A lower-case letter, then lower-case letters, digits or `_`.',
    example: 'prices',
  })
  table_name!: string;

  @OptionalText({ maxLength: 10_000 })
  description?: string;

  @Transform(({ value }: { value: unknown }) => toFlag(value))
  @OptionalBoolean({ description: 'Whether only its own account can see it; needs the plan premium.' })
  is_private?: boolean;
}

/**
 * The query string of an upload: options for any body, and the other fields beside a body that is
 * the CSV itself.
 */
export class UploadInQueryDto extends CsvFieldsDto {
  @OptionalText({ maxLength: 1_000, ...AS_IN_BODY })
  table_name?: string;

  @OptionalText({ maxLength: 10_000, ...AS_IN_BODY })
  description?: string;

  @OptionalFlag(AS_IN_BODY)
  is_private?: boolean;
}

/** The query string of an insert. */
export class InsertInQueryDto extends CsvFieldsDto {
  @OptionalChoice(ROW_FORMATS, {
    description: 'How the rows are written, where the Content-Type does not say it. `csv` when absent.',
  })
  format?: RowFormat;
}

/** A CSV to be made a table. */
export class UploadCsvDto extends UploadFieldsDto {
  /** Never in memory: it is staged while the body arrives. */
  @ApiProperty({ description: 'CSV text with a header line, up to 200 MB.', example: 'city,price\nParis,5.5\n' })
  data!: string;
}

/** The table that the fields beside `data` describe. @throws InvalidRequestError */
export function toNewUpload(dto: UploadFieldsDto): Pick<NewUpload, 'table' | 'csv'> {
  const table = { name: dto.table_name, description: dto.description ?? '', isPrivate: dto.is_private ?? false };
  return { table, csv: toCsvOptions(dto) };
}

/**
 * The rows that an insert brings.
 *
 * @throws InsertFormatError, InvalidRequestError also for options of CSV with other rows.
 */
export function toNewRows(dto: InsertInQueryDto, request: UploadRequest): NewRows {
  const csv = toCsvOptions(dto);
  const format = rowFormatOf(request.contentType, dto.format);
  const given = ['delimiter', 'column_names'].filter((name) => Object.hasOwn(request.query, name));
  if (format !== 'csv' && given[0]) throw new InvalidRequestError(`${given[0]}: is only for text/csv`);
  return { request, format, csv };
}

/** How the fields say that CSV is read. @throws InvalidRequestError */
export function toCsvOptions({ delimiter: text, column_names: columnNames = 'keep' }: CsvFieldsDto): CsvOptions {
  if (typeof text !== 'string') return { columnNames };
  const delimiter = parseDelimiter(text);
  if (!delimiter) throw new InvalidRequestError(`delimiter: must be ${DELIMITER_RULE}`);
  return { columnNames, delimiter };
}
