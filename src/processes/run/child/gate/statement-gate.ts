import type { Connection } from '../../../../duckdb/connection/connection.js';
import { findLexicalIssue } from '../../../../duckdb/lexical-check.js';
import { asCounted } from '../text-offset.js';
import { bindParameters, type ParameterValues } from './bind-parameters.js';
import { checkSyntax } from './check-syntax.js';
import { isolateBody } from './isolate-body.js';
import { RefusedStatementError } from './refused-statement-error.js';
import { serializeStatements } from './serialize-statement.js';
import type { SyntaxNode } from './syntax-tree.js';
import { type LocatedReference, tableReferences } from './table-references.js';

/** A statement that passed the gate: one SELECT of known syntax and allowed functions only. */
export interface GatedStatement {
  /** Its text, fit to stand between parentheses on lines of its own. */
  readonly body: string;
  /** Bytes of the author's text that were dropped before `body`. */
  readonly bodyByteOffset: number;
  /** Values of its placeholders, in the order in which the engine binds them. */
  readonly values: readonly string[];
  readonly tables: readonly LocatedReference[];
}

/**
 * Decides whether a text may be run at all, on the syntax tree of the engine itself
 * (`docs/security.md`, "The statement gate"). Nothing is bound or run here, and no table is looked
 * at.
 *
 * @throws RefusedStatementError
 */
export async function gateStatement(
  connection: Connection,
  text: string,
  parameters: ParameterValues = {},
): Promise<GatedStatement> {
  const issue = findLexicalIssue(text);
  if (issue !== undefined) throw new RefusedStatementError(issue);
  const trimmed = text.replace(/^[\s;]+/u, '');
  const bodyByteOffset = Buffer.byteLength(asCounted(text)) - Buffer.byteLength(asCounted(trimmed));
  try {
    const statement = onlyStatement(await serializeStatements(connection, trimmed));
    checkSyntax(statement);
    const tables = tableReferences(statement);
    const values = bindParameters(statement, parameters);
    const body = await isolateBody(connection, trimmed, statement);
    return { body, bodyByteOffset, values, tables: tables.map((table) => shifted(table, bodyByteOffset)) };
  } catch (error) {
    if (!(error instanceof RefusedStatementError) || error.byteOffset === undefined) throw error;
    throw new RefusedStatementError(error.message, error.byteOffset + bodyByteOffset);
  }
}

function onlyStatement(statements: readonly SyntaxNode[]): SyntaxNode {
  const [statement, second] = statements;
  if (!statement) throw new RefusedStatementError('The text has no statement: write one SELECT');
  if (second) throw new RefusedStatementError('The text holds more than one statement: only one SELECT can be run');
  return statement;
}

function shifted(reference: LocatedReference, bytes: number): LocatedReference {
  return reference.byteOffset === undefined ? reference : { ...reference, byteOffset: reference.byteOffset + bytes };
}
