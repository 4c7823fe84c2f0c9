import { findLexicalIssue } from '../duckdb/lexical-check.js';
import type { SyntaxChecker } from '../processes/syntax/syntax-checker.js';
import type { Parameter } from './parameter.js';
import { SqlSyntaxError, UnusableSqlError } from './queries.errors.js';
import { renderWithSamples } from './render-with-samples.js';
import { toSavedSpan } from './replacement.js';

/**
 * Checks that the text of a query is SQL, as far as this does not depend on values of a run. Tables
 * and columns need not exist.
 *
 * @returns why the text was not checked, if it was not.
 * @throws {SqlSyntaxError, UnusableSqlError, InvalidParameterError}
 */
export async function checkSavedSql(
  checker: Pick<SyntaxChecker, 'check'>,
  sql: string,
  parameters: readonly Parameter[],
): Promise<string | undefined> {
  const { sql: rendered, replacements, knownUntil } = renderWithSamples(sql, parameters);
  const fault = findLexicalIssue(rendered);
  if (fault !== undefined) throw new UnusableSqlError(fault);
  const checked = await checker.check(rendered);
  if (checked.kind === 'skipped') return checked.reason;
  const { issue } = checked;
  if (!issue || (issue.offset ?? rendered.length) >= knownUntil) return undefined;
  const span = issue.offset === undefined ? undefined : toSavedSpan(rendered, issue.offset, replacements);
  throw new SqlSyntaxError(issue.message, span);
}
