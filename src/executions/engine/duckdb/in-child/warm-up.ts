import type { Connection } from '../../../../duckdb/engine/engine.js';
import { sql } from '../../../../duckdb/sql.js';
import { gateStatement } from './gate/statement-gate.js';

/**
 * Goes once through what every run goes through, while the child waits for its one statement: what is loaded, compiled and allocated on
 * first use would else be paid for by the run.
 */
export async function warmUp(connection: Connection): Promise<void> {
  await gateStatement(connection, 'SELECT 1 AS one', {});
  await connection.describe(sql`SELECT * FROM (SELECT 1) LIMIT 0`);
  await connection.rows(sql`COPY (SELECT 1) TO '/dev/null' (FORMAT parquet, USE_TMP_FILE false, RETURN_STATS true)`);
}
