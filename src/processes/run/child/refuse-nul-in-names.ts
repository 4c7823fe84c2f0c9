import type { Connection } from '../../../duckdb/connection/connection.js';
import { embedBody } from './embed-body.js';
import { RefusedStatementError } from './gate/refused-statement-error.js';
import type { GatedStatement } from './gate/statement-gate.js';

/** Functions that take names from JSON, the only source of a name with NUL. */
const TAKES_NAMES_FROM_JSON = /from_json|json_transform/i;

/**
 * Rejects a result with NUL in the name of a column: the API of the engine would cut the name.
 *
 * @throws RefusedStatementError
 */
export async function refuseNulInNames(connection: Connection, statement: GatedStatement): Promise<void> {
  if (!TAKES_NAMES_FROM_JSON.test(statement.body)) return;
  const query = { before: 'SELECT column_name FROM (DESCRIBE SELECT * FROM ', statement, after: 'AS __q)' };
  const names = await embedBody(query, (describe) => connection.rows(describe));
  if (names.some(([name]) => typeof name === 'string' && name.includes('\0'))) {
    throw new RefusedStatementError('The name of a column of the result holds the character NUL: name it with AS');
  }
}
