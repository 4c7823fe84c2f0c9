import { closeSync, openSync, rmSync } from 'node:fs';
import type { Connection } from '../../../duckdb/connection/connection.js';
import { quoted, sql } from '../../../duckdb/sql.js';
import { gateStatement } from './gate/statement-gate.js';

/**
 * Does everything that a run does once, while the child waits for its statement: otherwise the run
 * would pay for what is loaded, compiled and allocated on first use.
 */
export async function warmUp(connection: Connection): Promise<void> {
  await gateStatement(connection, 'SELECT 1 AS one', {});
  await connection.describe(sql`SELECT * FROM (SELECT 1) LIMIT 0`);
  await writeAndReadBack(connection);
}

/**
 * Writes Parquet to a file without a name, and reads it. The engine locks the file, so that
 * children cannot share one.
 */
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
