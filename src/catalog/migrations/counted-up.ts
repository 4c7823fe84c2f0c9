import { type ColumnDefinitionBuilder, type Kysely, SqliteAdapter } from 'kysely';

/** Makes the database number the rows in a column, which each dialect writes differently. */
export function countedUp(db: Kysely<unknown>, column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  return isSqlite ? column.autoIncrement() : column.generatedByDefaultAsIdentity();
}
