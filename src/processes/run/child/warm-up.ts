import { closeSync, openSync, rmSync } from 'node:fs';
import type { Connection } from '../../../duckdb/connection/connection.js';
import { quoted, sql } from '../../../duckdb/sql.js';
import { gateStatement } from './gate/statement-gate.js';

/**
 * Goes once through what every run goes through, while the child waits for its one statement: what is loaded, compiled and allocated on
 * first use would else be paid for by the run.
 */
export async function warmUp(connection: Connection): Promise<void> {
  await gateStatement(connection, 'SELECT 1 AS one', {});
  await connection.describe(sql`SELECT * FROM (SELECT 1) LIMIT 0`);
  await writeAndReadBack(connection);
}

/** Writes Parquet to a file without a name, and reads that: the engine locks what it writes, so that children could not share one, `/dev/null` either. */
async function writeAndReadBack(connection: Connection): Promise<void> {
  const name = `warm-up-${process.pid}`;
  const file = openSync(name, 'w');
  try {
    rmSync(name);
    const path = quoted(`/dev/fd/${file}`);
    const row = sql`SELECT 1 AS number, 'a' AS text`;
    await connection.rows(sql`COPY (${row}) TO ${path} (FORMAT parquet, USE_TMP_FILE false, RETURN_STATS true)`);
    await connection.rows(sql`SELECT sum(number), max(strlen(text)) FROM read_parquet(${path})`);
  } finally {
    closeSync(file);
  }
}
