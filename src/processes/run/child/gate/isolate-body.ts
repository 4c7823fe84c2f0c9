import type { Connection } from '../../../../duckdb/connection/connection.js';
import { RefusedStatementError } from './refused-statement-error.js';
import { serializeStatements } from './serialize-statement.js';
import { isSameTree, type SyntaxNode } from './syntax-tree.js';

/** Semicolons, counted from the end, at which the text may have to be cut. */
const MAX_CUTS = 20;

/** Puts a query into parentheses, on lines of its own: it can end with a comment. */
export function asSubquery(body: string): string {
  return `(\n${body}\n) AS __q`;
}

/**
 * Finds the one statement of a text, without the semicolons and comments around it, and proves that
 * it stays one statement inside the parentheses of {@link asSubquery}: the engine parses it there
 * to the same tree.
 *
 * @param text without leading white space and semicolons.
 * @throws RefusedStatementError
 */
export async function isolateBody(connection: Connection, text: string, statement: SyntaxNode): Promise<string> {
  let body = text;
  for (let cut = 0; cut <= MAX_CUTS; cut++) {
    if (await staysWhole(connection, body, statement)) return body;
    const semicolon = body.lastIndexOf(';');
    if (semicolon < 0) break;
    body = body.slice(0, semicolon);
  }
  throw new RefusedStatementError('The end of the statement is not clear: remove comments and semicolons after it');
}

async function staysWhole(connection: Connection, body: string, statement: SyntaxNode): Promise<boolean> {
  try {
    const [wrapped, ...more] = await serializeStatements(connection, `SELECT * FROM ${asSubquery(body)}`);
    return more.length === 0 && isSameTree(wrapped, wrapTree(statement));
  } catch (error) {
    if (error instanceof RefusedStatementError) return false;
    throw error;
  }
}

/** The tree that `SELECT * FROM (statement) AS __q` has. */
function wrapTree(statement: SyntaxNode): SyntaxNode {
  return {
    ...statement,
    node: {
      type: 'SELECT_NODE',
      select_list: [{ class: 'STAR', type: 'STAR' }],
      from_table: { type: 'SUBQUERY', alias: '__q', subquery: { node: statement.node } },
      aggregate_handling: 'STANDARD_HANDLING',
    },
  };
}
