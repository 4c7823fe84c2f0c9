import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TemporaryIngest } from '../../../test/support/temporary-ingest.js';
import type { LogicalType } from '../../types/column.js';

let temporary: TemporaryIngest;

beforeAll(async () => {
  temporary = await TemporaryIngest.open();
});

afterAll(() => temporary.close());

const DIGITS = fc.string({ unit: fc.constantFrom('0', '1', '5', '9'), minLength: 1, maxLength: 22 });

/** Families of cells. A column takes its own from one, with a few of another between them. */
const FAMILIES: readonly fc.Arbitrary<string>[] = [
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.integer().map(String),
  fc.tuple(fc.integer(), DIGITS).map(([integer, fraction]) => `${integer}.${fraction}`),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  fc
    .date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, -1).replace('T', ' ')),
  fc.constantFrom('true', 'false'),
  fc.constantFrom(
    '',
    '007',
    '+1',
    '1e5',
    '-0',
    'NaN',
    'null',
    '1.5',
    '1',
    'true',
    '2024-01-01',
    ' 1',
    '.5',
    '1_0',
    '0x1',
  ),
  fc.string({ unit: fc.constantFrom('a', '1', '"', ',', '\n', '\r\n', ' ', 'é', '😀', '\t'), maxLength: 8 }),
];

/** A column's cells: texts, the empty string, and null for no value. */
const COLUMN = fc.constantFrom(...FAMILIES).chain((family) => {
  const cell = fc.oneof({ weight: 12, arbitrary: family }, { weight: 1, arbitrary: fc.constant(null) });
  const stranger = fc.option(
    fc.constantFrom(...FAMILIES).chain((other) => other),
    { freq: 4 },
  );
  return fc
    .tuple(fc.array(cell, { minLength: 6, maxLength: 6 }), stranger)
    .map(([cells, odd]) => (odd === null ? cells : [odd, ...cells.slice(1)]));
});

function toCsv(columns: readonly (readonly (string | null)[])[], newline: string): string {
  const header = columns.map((_, index) => `c${index}`);
  const rows = (columns[0] ?? []).map((_, row) => columns.map((cells) => toCell(cells[row] ?? null)));
  return [header, ...rows].map((cells) => cells.join(',') + newline).join('');
}

function toCell(text: string | null): string {
  if (text === null) return '';
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A value or its print by the engine, as a text that is the same for the same value. */
function comparable(text: unknown, type: LogicalType): unknown {
  if (typeof text !== 'string' || (type.kind === 'scalar' && type.name === 'VARCHAR')) return text;
  if (type.kind === 'decimal') return scaled(text);
  switch (type.kind === 'scalar' && type.name) {
    case 'BIGINT':
      return BigInt(text);
    case 'DOUBLE':
      return Number(text.replace(/inf$/, 'Infinity').replace('nan', 'NaN'));
    case 'TIMESTAMP':
    case 'TIMESTAMPTZ':
      return instant(text);
    default:
      return text;
  }
}

/** A time in UTC without what does not change it. */
function instant(text: string): string {
  const time = text.length === 10 ? `${text} 00:00:00` : text.replace('T', ' ').replace(/(Z|\+00)$/, '');
  return time.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
}

function scaled(text: string): bigint {
  const [integer = '', fraction = ''] = text.split('.');
  return BigInt(integer + fraction.padEnd(40, '0'));
}

describe('inferCsv', () => {
  it('gives back every cell of any table', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(COLUMN, { minLength: 2, maxLength: 6 }),
        fc.constantFrom('\n', '\r\n'),
        async (columns, newline) => {
          const part = await temporary.ingest.inferCsv(await temporary.stage(toCsv(columns, newline)));
          const rows = await temporary.rows(part);
          const types = part.columns.map(({ type }) => type);
          const values = rows.map((row) =>
            row.map((text, index) => comparable(text, types[index] ?? { kind: 'scalar', name: 'NULL' })),
          );
          const expected = (columns[0] ?? []).map((_, row) =>
            columns.map((cells, index) =>
              comparable(cells[row] ?? null, types[index] ?? { kind: 'scalar', name: 'NULL' }),
            ),
          );
          expect(values).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});
