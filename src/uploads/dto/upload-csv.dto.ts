import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { InvalidRequestError } from '../../common/common.errors.js';
import { RequestPipe } from '../../common/request.pipe.js';
import { OptionalBoolean, OptionalChoice, OptionalText, Text } from '../../common/validation.js';
import { DELIMITER_PATTERN, DELIMITER_RULE, parseDelimiter } from '../ingest/csv-delimiter.js';
import { COLUMN_NAMES, type ColumnNames, type CsvOptions } from '../ingest/csv-options.js';
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
    description: 'A lower-case letter, then lower-case letters, digits or `_`.',
    example: 'prices',
  })
  table_name!: string;

  @OptionalText({ maxLength: 10_000 })
  description?: string;

  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @OptionalBoolean({ description: 'Whether only its own account can see it; needs the plan premium.' })
  is_private?: boolean;
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
 * The options for reading CSV in the query string of an insert.
 *
 * @throws InvalidRequestError
 */
export async function toInsertOptions(query: Readonly<Record<string, unknown>>): Promise<CsvOptions> {
  return toCsvOptions((await pipe.transform(query, { type: 'query', metatype: CsvFieldsDto })) as CsvFieldsDto);
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
