import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { RenamedColumn } from '../../processes/ingest/csv-options.js';
import { type TableName, toFullName, toSqlName } from '../table.js';
import type { Inserted, Uploaded } from '../uploads.service.js';
import { TableColumnBody, toTableColumnBody } from './table.body.js';

/** How a table is called, and a query to try it with. */
class NamedTableBody {
  @ApiProperty({ example: 'prices' })
  table_name!: string;

  @ApiProperty({
    description: 'As SQL can write it, unless the handle is a word of SQL: then quote that.',
    example: 'ada.prices',
  })
  full_name!: string;

  @ApiProperty({ example: 'select * from ada.prices limit 10' })
  example_query!: string;
}

/** A column whose name in a CSV text was replaced. */
export class RenamedColumnBody {
  @ApiProperty({ description: 'Its name in the header, of a long one the beginning.', example: '2020' })
  from!: string;

  @ApiProperty({ example: 'c_2020' })
  to!: string;

  @ApiProperty({ type: 'integer', description: 'Its place in the header, counted from 1.', example: 2 })
  column!: number;
}

function RenamedColumns(): PropertyDecorator {
  const description = 'Columns whose names were replaced, only if there are some and `column_names` is `normalize`.';
  return ApiPropertyOptional({ type: [RenamedColumnBody], description });
}

/** Reply of the call that uploads a CSV. */
export class TableUploadedBody extends NamedTableBody {
  @ApiProperty({ example: true })
  success!: boolean;

  @ApiProperty({ type: 'integer' })
  rows_written!: number;

  @ApiProperty({ type: [TableColumnBody] })
  columns!: TableColumnBody[];

  @RenamedColumns()
  renamed_columns?: RenamedColumnBody[];
}

/** Reply of the call that creates a table. */
export class TableCreatedBody extends NamedTableBody {
  @ApiProperty({ example: 'ada' })
  namespace!: string;

  @ApiProperty({ description: 'Always false: an existing name is refused.' })
  already_existed!: boolean;

  @ApiProperty({ example: 'Table created' })
  message!: string;
}

/** Reply of the call that inserts rows. */
export class RowsInsertedBody {
  @ApiProperty({ type: 'integer' })
  rows_written!: number;

  @ApiProperty({ type: 'integer', description: 'Bytes that they take of the storage of the plan.' })
  bytes_written!: number;

  @ApiProperty({ example: 'ada.prices' })
  name!: string;

  @RenamedColumns()
  renamed_columns?: RenamedColumnBody[];
}

/** Reply of the calls that clear and delete a table. */
export class TableMessageBody {
  @ApiProperty({ example: 'Table ada.prices cleared' })
  message!: string;
}

/** An upload in the form of {@link TableUploadedBody}. */
export function toTableUploadedBody({ table, rowCount, columns, renamed }: Uploaded): TableUploadedBody {
  return {
    success: true,
    ...namesOf(table),
    rows_written: rowCount,
    columns: columns.map(toTableColumnBody),
    renamed_columns: renamed?.map(toRenamedColumnBody),
  };
}

/** A new table in the form of {@link TableCreatedBody}. */
export function toTableCreatedBody(table: TableName): TableCreatedBody {
  return { namespace: table.namespace, ...namesOf(table), already_existed: false, message: 'Table created' };
}

/** An insert in the form of {@link RowsInsertedBody}. */
export function toRowsInsertedBody({ table, rowCount, sizeBytes, renamed }: Inserted): RowsInsertedBody {
  return {
    rows_written: rowCount,
    bytes_written: sizeBytes,
    name: toFullName(table),
    renamed_columns: renamed?.map(toRenamedColumnBody),
  };
}

function toRenamedColumnBody({ from, to, position }: RenamedColumn): RenamedColumnBody {
  return { from, to, column: position };
}

/** What was done to a table, in the form of {@link TableMessageBody}. */
export function toTableMessageBody(table: TableName, done: 'cleared' | 'deleted'): TableMessageBody {
  return { message: `Table ${toFullName(table)} ${done}` };
}

function namesOf(table: TableName) {
  const exampleQuery = `select * from ${toSqlName(table)} limit 10`;
  return { table_name: table.name, full_name: toFullName(table), example_query: exampleQuery };
}
