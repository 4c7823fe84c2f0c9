import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { StoredTextPrinter } from '../../test/support/stored-text.js';
import { csvHeader } from './csv-row.js';

const printer = await StoredTextPrinter.open();

const text = fc.option(
  fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', '#', "'", '\\', ';', '\t', '😀'), maxLength: 4 }),
);

function literal(value: string | null): string {
  return value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`;
}

/**
 * Reads CSV as common readers do: a blank line is no row. A field without quotes is NULL if it is
 * equal to `nullText`, or, by default, if it is empty.
 */
function readCsv(csv: string, nullText = ''): (string | null)[][] {
  const field = /("(?:[^"]|"")*"|[^,\r\n"]*)(,|\n)/y;
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  for (let match = field.exec(csv); match; match = field.exec(csv)) {
    const [, written = '', end] = match;
    if (end === '\n' && written === '' && row.length === 0) continue;
    const value = written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
    row.push(written === nullText ? null : value);
    if (end === '\n') rows.push(row);
    if (end === '\n') row = [];
  }
  return rows;
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

  it('loses no value and no row: a reader of CSV gets back what was stored, whatever stands for NULL', async () => {
    const nullText = fc.constantFrom(undefined, 'NULL', 'a', '#N/A', '0', "'", '\\N', '∅');
    const value = fc.option(fc.oneof(text, fc.constantFrom('NULL', 'null', '#N/A', '0', '\\N', '∅')));
    const rows = fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 3 }), nullText, async (values, columns, csvNull) => {
        const table = values.map((row) => row.slice(0, columns));
        const list = table.map((row) => `(${row.map((one) => `${literal(one)}::VARCHAR`).join(', ')})`);
        const names = ['a', 'b', 'c'].slice(0, columns).join(', ');
        const query = `SELECT * FROM (VALUES ${list.join(', ')}) t(${names})`;
        const { csv, csvRows } = await printer.print(query, {}, csvNull);
        expect(csvRows).toBe(csv);
        // By default, one column has no way to write NULL other than that of the empty string.
        const expected = columns === 1 && csvNull === undefined ? table.map(([one]) => [one ?? '']) : table;
        expect(readCsv(csv, csvNull)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['integers', '0', '1', '0\n"1"\n1\n', '0\n1\n""\n'],
    ['booleans', 'false', 'true', 'false\n"true"\ntrue\n', 'false\ntrue\n""\n'],
  ])('tells NULL apart from equal text in a column of %s', async (_, first, second, withNull, byDefault) => {
    const query = `SELECT * FROM (VALUES (${first}), (${second}), (NULL)) t(a)`;
    expect(await printer.print(query, {}, second)).toMatchObject({ csv: withNull, csvRows: withNull });
    expect(await printer.print(query)).toMatchObject({ csv: byDefault, csvRows: byDefault });
  });

  it('makes lines of a thousand columns', async () => {
    const values = Array.from({ length: 1000 }, (_, index) => `${index} AS c${index}`);
    const line = `${values.map((_, index) => index).join(',')}\n`;
    const columns = await printer.store(`SELECT ${values.join(', ')}`);
    expect(await printer.printRows(columns)).toBe(line);
    expect(await printer.printRows(columns, 'NULL')).toBe(line);
  });
});

describe('csvHeader', () => {
  it('quotes names as values are quoted', async () => {
    const columns = await printer.store('SELECT 1 AS a, 2 AS "b,c", 3 AS "say ""x""", 4 AS "#1", 5 AS " "');
    expect(csvHeader(columns)).toBe('a,"b,c","say ""x""","#1", ');
  });
});
