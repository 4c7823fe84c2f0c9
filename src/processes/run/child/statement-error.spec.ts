import { describe, expect, it } from '@jest/globals';
import { toRunFailure } from './run-failure.js';
import { StatementError } from './statement-error.js';

const ORDER = {
  folder: '/var/runs/01J-x',
  sql: 'SELECT x',
  parameters: {},
  memoryBytes: 1,
  threads: 1,
  maxSpillBytes: 1,
};

function errorOf(fields: object): StatementError {
  return StatementError.from(new Error(JSON.stringify(fields)));
}

describe('StatementError.from', () => {
  it('reads the type, the message and the place', () => {
    const read = errorOf({ exception_type: 'Binder', exception_message: 'no x', position: '7' });
    expect(read).toMatchObject({ type: 'Binder', message: 'no x', byteOffset: 7 });
  });

  it('reads no type out of a message', () => {
    const message = JSON.stringify({ exception_type: 'Out of Memory', exception_message: 'x', position: '3' });
    for (const type of ['Invalid Input', 'Parser']) {
      const read = StatementError.from(new Error(`${type} Error: ${message}`));
      expect([read.type, read.message, read.byteOffset]).toEqual([type, message, undefined]);
    }
  });

  it('reads an error of the parser that is JSON behind its type', () => {
    const message = JSON.stringify({ exception_type: 'Parser', exception_message: 'no x', position: '7' });
    expect(StatementError.from(new Error(`Parser Error: ${message}`))).toMatchObject({
      message: 'no x',
      byteOffset: 7,
    });
  });

  it('reads an error that is plain text', () => {
    expect(StatementError.from(new Error('Invalid Error: odd'))).toMatchObject({ type: 'Invalid', message: 'odd' });
  });

  it.each([
    ['a stack trace', 'It broke\nStack Trace:\n/usr/lib/libduckdb.so(+0x1)', 'It broke'],
    ['advice on settings', 'Too much\n\nPossible solutions:\n* SET memory_limit', 'Too much'],
    ['advice on a reader', "It broke\nTry setting 'auto_detect' to true", 'It broke'],
    ['a hint at a setting', 'Limit of 250 exceeded. Use "SET max_expression_depth TO x" to', 'Limit of 250 exceeded.'],
  ])('ends before %s', (_, exception_message, message) => {
    expect(errorOf({ exception_type: 'INTERNAL', exception_message }).message).toBe(message);
  });
});

describe('StatementError.from, of CSV', () => {
  const ADVICE =
    '\n\nColumn n is being converted as type BIGINT\n* Check\n\n  file = in/0/data.csv\n  delimiter = ,\n  quote = "';

  it.each([
    [
      'a value',
      `CSV Error on Line: 3\nOriginal Line: zz,"a\nb"\nError when converting column "n". Could not convert string "z\nz" to 'BIGINT'${ADVICE}`,
      `line 3 of file "in/0/data.csv": Error when converting column "n". Could not convert string "z. z" to 'BIGINT'`,
    ],
    [
      'a row',
      'CSV Error on Line: 5\nOriginal Line: 1,2\nExpected Number of Columns: 1 Found: 2\nPossible fixes:\n* x\n\n  file = a\n  delimiter = ,',
      'line 5 of file "a": Expected Number of Columns: 1 Found: 2',
    ],
    [
      'the whole',
      'The state is invalid.\nThis can happen. \nPossible fixes:\n* x\n\n  file = a\n  delimiter = ,',
      'file "a": The state is invalid. This can happen.',
    ],
    [
      'the dialect',
      'Error when sniffing file "".\nIt was not possible\nPossible fixes:\n',
      'file "" is not CSV of the form that the table was linked with',
    ],
  ])('is one sentence about %s', (_, exception_message, message) => {
    expect(errorOf({ exception_type: 'Conversion', exception_message }).message).toBe(message);
  });
});

describe('toRunFailure', () => {
  it.each([
    ['Conversion', 'bad value', 'FAILED_TYPE_EXECUTION_FAILED'],
    ['Out of Memory', 'no more', 'FAILED_TYPE_OUT_OF_MEMORY'],
    ['INTERNAL', 'Memory allocation failure', 'FAILED_TYPE_OUT_OF_MEMORY'],
    ['INTERNAL', 'Assertion failed', 'FAILED_TYPE_INTERNAL'],
    ['Invalid Input', 'Memory allocation failure', 'FAILED_TYPE_EXECUTION_FAILED'],
    ['Invalid Input', 'std::bad_alloc', 'FAILED_TYPE_EXECUTION_FAILED'],
    ['INTERNAL', 'x Memory allocation failure', 'FAILED_TYPE_INTERNAL'],
    ['IO', 'No file "File too large"', 'FAILED_TYPE_EXECUTION_FAILED'],
  ])('calls %s "%s" %s', (exception_type, exception_message, type) => {
    expect(toRunFailure(errorOf({ exception_type, exception_message }), ORDER)).toEqual({
      type,
      message: `${exception_type} Error: ${exception_message}`,
    });
  });

  it('knows by the code of the operating system that a file is too large', () => {
    const fields = { exception_type: 'IO', exception_message: 'Could not write file "out/r.parquet"', errno: '27' };
    expect(toRunFailure(errorOf(fields), ORDER).type).toBe('FAILED_TYPE_RESULT_TOO_LARGE');
  });

  it('throws an error that no statement causes', () => {
    expect(() => toRunFailure(new TypeError('x is undefined'), ORDER)).toThrow('x is undefined');
  });

  it('names tables instead of files, and no place', () => {
    const files = ['in/0/year=2026/data.csv', 'in/1/data.csv.gz'];
    const reading = { format: 'csv', isHive: true, columns: [] } as const;
    const table = { namespace: 'ada', name: 't', isBareName: true, files, reading };
    const messageOf = (exception_message: string) =>
      toRunFailure(errorOf({ exception_type: 'IO', exception_message, position: '7' }), ORDER, [table]);
    const type = 'FAILED_TYPE_EXECUTION_FAILED';
    for (const text of [`File '${files[0]}' broke`, `file "/var/runs/01J-x/${files[1]}" broke`, 'file "" broke'])
      expect(messageOf(text)).toEqual({ type, message: 'IO Error: a file of ada.t broke' });
    const moved = `Cannot access file "${files[0]}" - file system operations are disabled by configuration`;
    expect(messageOf(moved).message).toBe(
      'IO Error: a file of ada.t was moved, replaced or deleted while the query read it',
    );
  });

  it('says that files have changed where the name of a folder does not fit', () => {
    const reading = { format: 'csv', isHive: true, columns: [] } as const;
    const tables = [
      { namespace: 'ada', name: 'hive', isBareName: true, files: [], reading },
      { namespace: 'ada', name: 'flat', isBareName: true, files: [], reading: { ...reading, isHive: false } },
    ];
    const exception_message = "Unable to cast 'x' (from hive partition column 'YEAR') to: 'BIGINT'";
    const { message } = toRunFailure(errorOf({ exception_type: 'Invalid Input', exception_message }), ORDER, tables);
    expect(message).toBe(
      `Invalid Input Error: ${exception_message}: the files of ada.hive have changed since they were linked, and the operator must link them again`,
    );
  });

  it('is no longer than a message may be, whatever a value brings into it', () => {
    const { message } = toRunFailure(
      errorOf({ exception_type: 'Invalid Input', exception_message: '🦆'.repeat(1e6) }),
      ORDER,
    );
    expect(message).toMatch(/^Invalid Input Error: 🦆+\uFFFD?… \(2000021 characters\)$/u);
    expect(message.length).toBeLessThan(4_100);
  });

  it.each([
    ['Object {"a":1,"secret":2,"a":3} has duplicate key "a"', 'Object has duplicate key "a"'],
    ['Expected OBJECT, but got VARCHAR: "a {secret}\n"', 'Expected OBJECT, but got VARCHAR'],
  ])('shows no line of a linked file that can hold more than its table: %s', (told, shown) => {
    const reading = { format: 'ndjson', isHive: false, columns: [] } as const;
    const table = { namespace: 'ada', name: 't', isBareName: true, files: ['in/0/data.ndjson'], reading };
    const exception_message = `JSON transform error in file "in/0/data.ndjson", in line 2: ${told}`;
    const { message } = toRunFailure(errorOf({ exception_type: 'Invalid Input', exception_message }), ORDER, [table]);
    expect(message).toBe(`Invalid Input Error: JSON transform error in a file of ada.t, in line 2: ${shown}`);
  });

  it('leaves the run folder out of the message', () => {
    const { message } = toRunFailure(
      errorOf({ exception_type: 'IO', exception_message: 'No "/var/runs/01J-x/tmp/a"' }),
      ORDER,
    );
    expect(message).toBe('IO Error: No "tmp/a"');
  });
});
