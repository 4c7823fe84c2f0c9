import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ACCOUNT_TYPES, type AccountType } from '../../auth/account.js';
import { toColumnTypeName } from '../../types/column-types.js';
import type { TableColumn } from '../../types/table-column.js';
import { type ListedTable, toFullName } from '../table.js';
import type { TablePage } from '../tables.repository.js';

/** A column of a table. */
export class TableColumnBody {
  @ApiProperty({ example: 'price' })
  name!: string;

  @ApiProperty({ example: 'double' })
  type!: string;

  @ApiProperty()
  nullable!: boolean;
}

/** The account that a table belongs to. */
export class TableOwnerBody {
  @ApiProperty({ example: 'ada' })
  handle!: string;

  @ApiProperty({ enum: ACCOUNT_TYPES })
  type!: AccountType;
}

/** A table in a list. */
export class ListedTableBody {
  @ApiProperty({ example: 'ada.prices' })
  full_name!: string;

  @ApiProperty()
  is_private!: boolean;

  @ApiProperty({
    description: 'Bytes that it takes of the storage of the plan, as text; 0 for linked files.',
    example: '1048576',
  })
  table_size_bytes!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;

  @ApiProperty({ type: TableOwnerBody })
  owner!: TableOwnerBody;

  @ApiProperty({ type: [TableColumnBody] })
  columns!: TableColumnBody[];
}

/** Some of the tables that match. */
export class TableListBody {
  @ApiProperty({ type: [ListedTableBody] })
  tables!: ListedTableBody[];

  @ApiPropertyOptional({ type: 'integer', description: 'Only if there are more tables.' })
  next_offset?: number;
}

/** A column in the form of {@link TableColumnBody}. */
export function toTableColumnBody(column: TableColumn): TableColumnBody {
  return { name: column.name, type: toColumnTypeName(column), nullable: column.nullable };
}

/** A page in the form of {@link TableListBody}. */
export function toTableListBody({ tables, nextOffset }: TablePage): TableListBody {
  return { tables: tables.map(toListedTableBody), next_offset: nextOffset };
}

function toListedTableBody(table: ListedTable): ListedTableBody {
  return {
    full_name: toFullName(table),
    is_private: table.isPrivate,
    table_size_bytes: String(table.sizeBytes),
    created_at: table.createdAt.toISOString(),
    updated_at: table.updatedAt.toISOString(),
    owner: { handle: table.namespace, type: table.ownerType },
    columns: table.columns.map(toTableColumnBody),
  };
}
