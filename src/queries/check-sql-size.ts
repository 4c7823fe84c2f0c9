import { MAX_STATEMENT_BYTES } from '../duckdb/statement-size.js';
import { UnusableSqlError } from './queries.errors.js';

/** @throws {UnusableSqlError} if a text could never be run, being too large. */
export function checkSqlSize(sql: string): void {
  if (Buffer.byteLength(sql) > MAX_STATEMENT_BYTES)
    throw new UnusableSqlError(`The SQL may have at most ${MAX_STATEMENT_BYTES} bytes`);
}
