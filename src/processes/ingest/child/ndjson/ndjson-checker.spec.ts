import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toTableColumn } from '../../../../types/column-types.js';
import type { TableColumn } from '../../../../types/table-column.js';
import { ContentError } from '../content-error.js';
import { NdjsonChecker } from './ndjson-checker.js';

const COLUMNS: readonly TableColumn[] = [
  toTableColumn('t', 'varchar', true),
  toTableColumn('i', 'bigint', false),
  toTableColumn('d', 'double', true),
  toTableColumn('b', 'boolean', true),
  toTableColumn('w', 'uint256', true),
  toTableColumn('day', 'date', true),
  toTableColumn('at', 'timestamp', true),
  { name: 'exact', type: { kind: 'decimal', precision: 20, scale: 4 }, nullable: true },
];

/** JSON of values that fit a column, and of some that do not. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  t: [
    '""',
    '"abc"',
    '"a longer text, of äöü and 😀"',
    '"a\\"b\\\\"',
    '"\\u00e9"',
    'null',
    '"\\ud83d"',
    '5',
    '"a\\x"',
    '"a\tb"',
  ],
  i: [
    '0',
    '-7',
    '123456789012345678',
    '9223372036854775807',
    '"12"',
    '9223372036854775808',
    '1.0',
    '007',
    'null',
    '"x"',
  ],
  d: ['0', '-1.5', '1e10', '0.1234567890123456789', '"NaN"', 'null', '1.', '.5', 'true', '1e999'],
  b: ['true', 'false', 'null', '"true"', '1', 'tru', 'falsee'],
  w: ['0', '"5"', '1'.repeat(77), 'null', '-1', '"-1"', '9'.repeat(78), '"1x'],
  day: [
    '"2024-02-29"',
    '"2024-02-28"',
    'null',
    '"2023-02-29"',
    '"2024-02-29 "',
    '"2024-02-29 10:00:00"',
    '20240229',
    '"2024-02-2"',
  ],
  at: [
    '"2024-02-29 10:00:00"',
    '"2024-02-29T10:00:00Z"',
    '"2024-02-29"',
    '"2024-02-29 10:00"',
    '"2024-02-29 10:00:00.5"',
    '"2024-02-30 10:00:00"',
    '"2024-02-29 10:60:00"',
    '"2024-02-29 10:00:60"',
    '"2024-02-29 10:00:00+01"',
    '"2024-02-29x10:00:00"',
    'null',
  ],
  exact: ['1.5', '-0.0001', '"1234567890123456.1234"', 'null', '1234567890123456.5', '0.00001'],
};

/** What a program makes its lines of: keys, and what stands around, between and behind them. */
const FORM = fc.record({
  keys: fc.constantFrom(
    ['t', 'i', 'd', 'b', 'w', 'day', 'at', 'exact'],
    ['i', 't'],
    ['i', 'exact', 'b'],
    ['w', 'i'],
    ['i', 'day', 'at'],
    ['i', 'i'],
    ['t', 'd'],
  ),
  separators: fc.constantFrom(['', ':', ','], ['', ': ', ', '], [' ', ' : ', ' ,\t']),
  behind: fc.constantFrom('', '\r', ' '),
});

/** Lines of one form, most of them valid, with some of another form between. */
const LINES = fc.tuple(FORM, FORM).chain(([usual, other]) => {
  const choices = fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 8, maxLength: 8 });
  const line = fc.tuple(fc.constantFrom(usual, usual, usual, other), choices);
  return fc.array(
    line.map(([form, values]) => toLine(form, values)),
    { maxLength: 30 },
  );
});

function toLine(
  { keys, separators, behind }: typeof FORM extends fc.Arbitrary<infer F> ? F : never,
  choices: readonly number[],
): string {
  const [space = '', colon = ':', comma = ','] = separators;
  const pairs = keys.map((key, index) => {
    const values = VALUES[key] ?? [];
    const choice = choices[index] ?? 0;
    // A few choose among all values, the others among the first, which are valid.
    return `"${key}"${colon}${values[(7 * choice) % (choice < 20 ? values.length : 3)]}`;
  });
  return `{${space}${pairs.join(comma)}${space}}${behind}`;
}

/** The error of a text, which is cut into blocks before these offsets. */
function issueOf(text: string, cuts: readonly number[] = []): ContentError['issue'] | undefined {
  const checker = new NdjsonChecker(COLUMNS);
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  let start = 0;
  try {
    for (const [index, end] of ends.entries()) {
      const isLast = index === ends.length - 1;
      start += checker.take(Buffer.from(bytes.subarray(start, end)), isLast);
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return error.issue;
  }
}

describe('NdjsonChecker', () => {
  it('judges a line as it does alone, whatever lines stand before it and wherever the text is cut', () => {
    fc.assert(
      fc.property(LINES, fc.array(fc.nat(), { maxLength: 5 }), (lines, cuts) => {
        const first = lines.findIndex((line) => issueOf(line) !== undefined);
        const issue = issueOf(lines.join('\n'), cuts);
        expect(issue?.details.line).toBe(first < 0 ? undefined : first + 1);
        if (issue) expect(issue.code).toBe(issueOf(lines[first] ?? '')?.code);
      }),
      { numRuns: 1000 },
    );
  });

  it('agrees with JSON.parse on what is JSON', () => {
    fc.assert(
      fc.property(LINES, (lines) => {
        const accepted = lines.filter((line) => issueOf(line) === undefined);
        expect(() => JSON.parse(`[${accepted.join(',')}]`)).not.toThrow();
      }),
    );
  });

  it('counts rows and takes each value of lines of one form', () => {
    const lines = Array.from(
      { length: 100 },
      (_, index) => `{"t":"${'x'.repeat(index)}","i":${index},"b":${index % 2 === 0}}`,
    );
    const checker = new NdjsonChecker(COLUMNS);
    checker.take(Buffer.from(`${lines.join('\n')}\n`), true);
    expect(checker.rowCount).toBe(100);
    for (const [index, wrong] of ['"i":1.5', '"i":"1', '"i":tru', '"i":null', '"j":1'].entries()) {
      const broken = lines.with(90 + index, (lines[90 + index] ?? '').replace(/"i":\d+/, wrong));
      expect(issueOf(broken.join('\n'))?.details).toMatchObject({ line: 91 + index });
    }
  });

  it('takes lines of very many values', () => {
    const columns = Array.from({ length: 100 }, (_, index) => toTableColumn(`c${index}`, 'integer', true));
    const line = (last: string) =>
      `{${columns.map(({ name }, index) => `"${name}":${index === 99 ? last : index}`).join(', ')}}\n`;
    const checker = new NdjsonChecker(columns);
    checker.take(Buffer.from(line('7').repeat(50)), true);
    expect(checker.rowCount).toBe(50);
    expect(() => checker.take(Buffer.from(line('7') + line('x')), true)).toThrow('row 52 (line 52): column c99');
  });

  it('takes lines of more forms than are kept', () => {
    const columns = Array.from({ length: 100 }, (_, index) => toTableColumn(`c${index}`, 'integer', true));
    const line = (form: number, last: string) =>
      `{${columns.map(({ name }, index) => `"${name}":${' '.repeat(form)}${index === 99 ? last : index}`).join(',')}}\n`;
    const forms = Array.from({ length: 150 }, (_, form) => line(form, '7').repeat(3));
    const checker = new NdjsonChecker(columns);
    checker.take(Buffer.from(forms.join('')), true);
    expect(checker.rowCount).toBe(450);
    for (const form of [0, 149]) {
      const before = checker.rowCount;
      expect(() => checker.take(Buffer.from(line(form, '7') + line(form, '1.5')), true)).toThrow(`row ${before + 2}`);
    }
  });
});
