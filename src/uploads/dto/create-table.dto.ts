import { Choice, Items, OptionalBoolean, OptionalText, Text } from '../../http/validation.js';
import { COLUMN_TYPES, type ColumnType, toTableColumn } from '../../types/column-types.js';
import type { NewEmptyTable } from '../new-upload.js';
import { TABLE_NAME_PATTERN } from '../table-name.js';

/** The engine needs memory for each column. */
const MAX_COLUMNS = 2_000;

/** A column of a table to be created. */
export class SchemaColumnDto {
  @Text({ maxLength: 200, description: 'Begins with a letter.', example: 'price' })
  name!: string;

  @Choice(COLUMN_TYPES, { example: 'double' })
  type!: ColumnType;

  @OptionalBoolean({ description: 'Whether it may have no value; true when absent.' })
  nullable?: boolean;
}

/** A table to be created without rows. */
export class CreateTableDto {
  @Text({
    maxLength: 1_000,
    pattern: TABLE_NAME_PATTERN,
    description: 'A lower-case letter, then lower-case letters, digits or `_`.',
    example: 'prices',
  })
  table_name!: string;

  @Items(() => SchemaColumnDto, { maxItems: MAX_COLUMNS, description: 'Its columns, in order.' })
  schema!: SchemaColumnDto[];

  @OptionalText({ maxLength: 1_000, description: "The account's own handle, which it is when absent.", example: 'ada' })
  namespace?: string;

  @OptionalText({ maxLength: 10_000 })
  description?: string;

  @OptionalBoolean({ description: 'Whether only its own account can see it; needs the plan premium.' })
  is_private?: boolean;
}

/** The table that a body asks for. */
export function toNewEmptyTable(dto: CreateTableDto): NewEmptyTable {
  return {
    namespace: dto.namespace ?? undefined,
    name: dto.table_name,
    description: dto.description ?? '',
    isPrivate: dto.is_private ?? false,
    columns: dto.schema.map(({ name, type, nullable }) => toTableColumn(name, type, nullable ?? true)),
  };
}
