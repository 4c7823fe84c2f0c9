import { type ColumnDefinitionBuilder, type Kysely, SqliteAdapter } from 'kysely';

/** Lets the database give a column its values, one more each time: each has that, and each writes it differently. */
export function countedUp(db: Kysely<unknown>, column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  return isSqlite ? column.autoIncrement() : column.generatedByDefaultAsIdentity();
}
