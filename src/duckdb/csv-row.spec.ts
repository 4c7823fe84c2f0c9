import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { StoredTextPrinter } from '../../test/support/stored-text.js';
import { csvHeader } from './csv-row.js';

let printer: StoredTextPrinter;

beforeAll(async () => {
  printer = await StoredTextPrinter.open();
});

afterAll(() => printer.close());

const text = fc.option(
  fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', '#', "'", '\\', ';', '\t', '😀'), maxLength: 4 }),
);

function literal(value: string | null): string {
  return value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`;
}

describe('csvRowSql', () => {
  it('makes the very lines that COPY writes', async () => {
    const rows = fc.array(fc.tuple(text, text), { minLength: 20, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(rows, async (values) => {
        const list = values.map(([a, b]) => `(${literal(a)}::VARCHAR, ${literal(b)}::VARCHAR)`);
        const { csv, csvRows } = await printer.print(`SELECT * FROM (VALUES ${list.join(', ')}) t(a, b)`);
        expect(csvRows).toBe(csv);
      }),
      { numRuns: 30 },
    );
  });

  it('makes lines of a thousand columns', async () => {
    const values = Array.from({ length: 1000 }, (_, index) => `${index} AS c${index}`);
    const { csvRows } = await printer.print(`SELECT ${values.join(', ')}`);
    expect(csvRows).toBe(`${values.map((_, index) => index).join(',')}\n`);
  });
});

describe('csvHeader', () => {
  it('quotes names as values are quoted', async () => {
    const columns = await printer.store('SELECT 1 AS a, 2 AS "b,c", 3 AS "say ""x""", 4 AS "#1", 5 AS " "');
    expect(csvHeader(columns)).toBe('a,"b,c","say ""x""","#1", ');
  });
});
