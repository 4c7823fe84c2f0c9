import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { InvalidRequestError } from '../../http/common.errors.js';
import { RequestPipe } from '../../http/request.pipe.js';
import { OptionalBoolean, OptionalChoice, OptionalFlag, OptionalText, Text, toFlag } from '../../http/validation.js';
import { DELIMITER_PATTERN, DELIMITER_RULE, parseDelimiter } from '../../processes/ingest/csv-delimiter.js';
import { COLUMN_NAMES, type ColumnNames, type CsvOptions } from '../../processes/ingest/csv-options.js';
import { ROW_FORMATS, type RowFormat } from '../row-format.js';
import { TABLE_NAME_PATTERN } from '../table-name.js';
import type { UploadWish } from '../table-wish.js';

/** Of the field `delimiter`. */
export const DELIMITER_DESCRIPTION =
  `The character between values: ${DELIMITER_RULE}. When absent, it is found among comma, semicolon, tab and pipe, ` +
  'from the header and the first rows.';

/** Of the field `column_names`. */
export const COLUMN_NAMES_DESCRIPTION =
  '`normalize` replaces names that are empty, begin with a digit or a special character, or repeat the name of another ' +
  'column; the reply lists them. `keep`, the default, refuses them.';

/** Options for reading CSV text. They can also stand in the query string, with any body. */
export class CsvFieldsDto {
  @OptionalText({ maxLength: 20, description: DELIMITER_DESCRIPTION, pattern: DELIMITER_PATTERN, example: ';' })
  delimiter?: string;

  @OptionalChoice(COLUMN_NAMES, { description: COLUMN_NAMES_DESCRIPTION })
  column_names?: ColumnNames;
}

/** What is told of a table beside its data. The fields can also stand in a form or, beside a body that is the CSV itself, in the query string. */
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

/** What can stand in the query string of an upload: options for any body, and the other fields beside a body that is the CSV itself. */
export class UploadInQueryDto extends CsvFieldsDto {
  @OptionalText({ maxLength: 1_000 })
  table_name?: string;

  @OptionalText({ maxLength: 10_000 })
  description?: string;

  @OptionalFlag({})
  is_private?: boolean;
}

/** How the rows of an insert are written, where the Content-Type does not say it. */
export class InsertInQueryDto extends CsvFieldsDto {
  @OptionalChoice(ROW_FORMATS)
  format?: RowFormat;
}

/** A CSV to be made a table. */
export class UploadCsvDto extends UploadFieldsDto {
  /** Never in memory: it is staged while the body arrives. */
  @ApiProperty({ description: 'CSV text with a header line, up to 200 MB.', example: 'city,price\nParis,5.5\n' })
  data!: string;
}

const pipe = new RequestPipe();

/**
 * What the fields beside `data` ask for.
 *
 * @throws InvalidRequestError
 */
export async function toUploadWish(fields: Readonly<Record<string, unknown>>): Promise<UploadWish> {
  const dto = (await pipe.transform(fields, { type: 'query', metatype: UploadFieldsDto })) as UploadFieldsDto;
  const table = { name: dto.table_name, description: dto.description ?? '', isPrivate: dto.is_private ?? false };
  return { table, csv: toCsvOptions(dto) };
}

/**
 * Checks what stands in the query string of an upload, also where the body has the same fields and they count.
 *
 * @throws InvalidRequestError
 */
export async function checkUploadQuery(query: Readonly<Record<string, unknown>>): Promise<void> {
  toCsvOptions((await pipe.transform(query, { type: 'query', metatype: UploadInQueryDto })) as UploadInQueryDto);
}

/**
 * What the query string of an insert asks for.
 *
 * @throws InvalidRequestError
 */
export async function toInsertOptions(
  query: Readonly<Record<string, unknown>>,
): Promise<{ csv: CsvOptions; format: RowFormat | undefined }> {
  const dto = (await pipe.transform(query, { type: 'query', metatype: InsertInQueryDto })) as InsertInQueryDto;
  return { csv: toCsvOptions(dto), format: dto.format };
}

/**
 * Refuses the options for reading CSV in a request whose rows have another format.
 *
 * @throws InvalidRequestError
 */
export function refuseCsvFields(query: Readonly<Record<string, unknown>>): void {
  for (const name of ['delimiter', 'column_names'])
    if (Object.hasOwn(query, name)) throw new InvalidRequestError(`${name}: is only for text/csv`);
}

function toCsvOptions(dto: CsvFieldsDto): CsvOptions {
  const delimiter = typeof dto.delimiter === 'string' ? parseDelimiter(dto.delimiter) : undefined;
  if (typeof dto.delimiter === 'string' && !delimiter)
    throw new InvalidRequestError(`delimiter: must be ${DELIMITER_RULE}`);
  return { columnNames: dto.column_names ?? 'keep', ...(delimiter && { delimiter }) };
}
