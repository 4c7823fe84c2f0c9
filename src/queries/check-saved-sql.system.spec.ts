import { afterAll, describe, expect, it } from '@jest/globals';
import { findChildren, untilChild } from '../../test/support/child-processes.js';
import { until } from '../../test/support/until.js';
import { SyntaxChecker } from '../processes/syntax/syntax-checker.js';
import { checkSavedSql } from './check-saved-sql.js';
import type { Parameter } from './parameter.js';

const checker = new SyntaxChecker();
afterAll(() => checker.onApplicationShutdown());

const PARAMETERS: Parameter[] = [
  { key: 'n', type: 'number', enumOptions: [] },
  { key: 'order', type: 'enum', enumOptions: ['ASC', 'DESC'] },
  { key: 'limit', type: 'text', enumOptions: [], defaultValue: 'LIMIT 10' },
  { key: 'bad', type: 'text', enumOptions: [], defaultValue: 'a b c d' },
];

const check = (sql: string) => checkSavedSql(checker, sql, PARAMETERS);

/** Checks a text until it is rejected: on a busy machine, the next process starts slowly. */
async function errorOf(sql: string): Promise<string> {
  for (;;) {
    const error = await check(sql).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (error !== undefined) return error;
  }
}

/** Waits until a process checks texts, and gives its id. */
async function untilChecking(): Promise<number> {
  while ((await check('SELECT 1')) !== undefined);
  return untilChild('syntax.child.cjs');
}

describe('checkSavedSql', () => {
  it.each([
    'SELECT 1',
    '  ;; SELECT 1; -- end',
    "SELECT {{n}}, '{{word}}' FROM nowhere ORDER BY 1 {{order}} {{limit}}",
    'SELECT * FROM {{table}} {{where}}',
    'SELECT a {{operator}} b, ) FROM t',
    '{{statement}}',
    "SELECT ['x']::ENUM('x')[], 1e400",
    'PIVOT orders ON a USING sum(b)',
    'INSERT INTO t VALUES (1)',
    'SELECT 1; SELECT 2',
    'SELECT nosuch FROM nowhere',
    '',
  ])('takes %s', async (sql) => {
    await expect(check(sql)).resolves.toBeUndefined();
  });

  it.each([
    ['SELECT\n  1 frm a b', 'syntax error at or near "a"', { line: 2, column: 9, offset: 15, length: 1 }],
    ["SELECT '{{a_long_name}}', 'ü🦆', {{n}} frm a b", 'at or near "a"', { column: 43, offset: 43, length: 1 }],
    ['SELECT ({{n}}', 'at end of input', { line: 1, column: 14, offset: 13, length: 0 }],
    ["SELECT 'open {{n}}", 'unterminated quoted string', { column: 8, length: 11 }],
    ['SELEC {{n}} FROM {{table}}', 'at or near "SELEC"', { column: 1, length: 5 }],
    ['SELECT {{bad}}', 'at or near "c"', { column: 8, offset: 7, length: 7, parameter: 'bad' }],
    ['SELECT\u00a01\u00a0frm a b', 'at or near "a"', { column: 14, offset: 13 }],
    ['SELECT sum(1) OVER nosuch', 'window "nosuch" does not exist', {}],
  ])('refuses %j: %s', async (sql, reason, place) => {
    const error = await check(sql).catch((thrown: unknown) => thrown);
    const { message, code, offset, details } = error as {
      message: string;
      code: string;
      offset: number;
      details: object;
    };
    expect(code).toBe('sql_syntax');
    expect(message).toContain(`query_sql: `);
    expect(message).toContain(reason);
    expect({ offset, ...details }).toMatchObject(place);
  });

  it.each([
    ["SELECT '\0'", 'NUL'],
    [`SELECT 1 ${'/*'.repeat(65)}`, 'comments'],
  ])('refuses what no parser is given: %j', async (sql, message) => {
    await expect(check(sql)).rejects.toMatchObject({ code: 'unusable_sql', message: expect.stringContaining(message) });
  });

  it('keeps nobody waiting for longer than the check of a text may take', async () => {
    const pid = await untilChecking();
    process.kill(pid, 'SIGSTOP');
    const reasons = await Promise.all(Array.from({ length: 20 }, () => check('SELECT 1')));
    expect(reasons[0]).toBe('It took too long');
    expect(reasons.every((reason) => reason === undefined || /too long|Others|No process/.test(reason))).toBe(true);
  });

  it('saves unchecked what cannot be checked, and checks the next text in another process', async () => {
    const pid = await untilChecking();
    process.kill(pid, 'SIGSTOP');
    expect(await check('SELECT 1 frm a b')).toBe('It took too long');
    await until(() => !findChildren('syntax.child.cjs').includes(pid));
    expect(await errorOf('SELECT 1 frm a b')).toContain('at line 1, column 14');
  });

  it('goes on when the process has died', async () => {
    const pid = await untilChecking();
    process.kill(pid, 'SIGKILL');
    await until(() => !findChildren('syntax.child.cjs').includes(pid));
    expect(await errorOf('SELECT 1 frm a b')).toContain('at line 1, column 14');
  });
});
