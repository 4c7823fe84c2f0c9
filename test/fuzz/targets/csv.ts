import { deepStrictEqual } from 'node:assert';
import type { TemporaryIngest } from '../../support/temporary-ingest.js';
import type { FuzzTarget } from '../fuzz.js';
import { shapeOf, toRefusal } from '../refusal.js';

/**
 * A CSV text as records of cells, by the rules of uploads: cells with quotes end at a quote that is
 * not doubled; a quote within a bare cell is text. Null stands for a bare empty cell.
 */
function records(text: string): (string | null)[][] {
  const cell = /("(?:[^"]|"")*"|[^,\r\n]*(?:\r(?!\n)[^,\r\n]*)*)(,|\r?\n|$)/y;
  const found: (string | null)[][] = [];
  let record: (string | null)[] = [];
  while (cell.lastIndex < text.length || record.length > 0) {
    const [, written = '', end = ''] = cell.exec(text) ?? [];
    const isQuoted = written.startsWith('"');
    record.push(isQuoted ? written.slice(1, -1).replaceAll('""', '"') : written === '' ? null : written);
    if (end === ',') continue;
    found.push(record);
    record = [];
    if (end === '') break;
  }
  return found;
}

/**
 * A CSV text that becomes a table: refused with a reason, or all rows are there and texts are as
 * they were written.
 */
export function csvTarget(temporary: TemporaryIngest): FuzzTarget {
  return {
    name: 'csv',
    runs: 250,
    seeds: [
      'a,b,c\n1,x,2024-01-01\n2,"it""s, \n",2024-12-31\n,,\n',
      'name,value\r\n"",1e5\r\nfoo"bar,-0\r\n"a\tb",NaN',
      'id,flag,at\n765629939811020802,true,2024-02-29T12:00:00Z\n9223372036854775808,false,2024-02-29 12:00:00\n',
    ],
    words: [
      '""',
      '"',
      ',',
      '\n',
      '\r\n',
      '\r',
      'NULL',
      '1e400',
      '007',
      '-0',
      '0.1',
      '99999999999999999999',
      '😀',
      '\ufeff',
    ],
    async check(input) {
      const text = input.toString();
      const staged = await temporary.stage(input);
      try {
        const part = await temporary.ingest.inferCsv(staged, { delimiter: ',' });
        const [header = [], ...all] = records(text.replace(/^\ufeff/, ''));
        const names = header.at(-1) === null ? header.slice(0, -1) : header;
        const isEmptyLine = (record: readonly unknown[]) =>
          names.length > 1 && record.length === 1 && record[0] === null;
        const expected = all.filter((record) => !isEmptyLine(record));
        deepStrictEqual(part.rowCount, expected.length);
        const rows = await temporary.rows(part);
        for (const [index, { type }] of part.columns.entries())
          if (type.kind === 'scalar' && type.name === 'VARCHAR')
            deepStrictEqual(
              rows.map((row) => row[index]),
              // The engine's client takes a byte order mark off each text.
              expected.map((record) => record[index]?.replace(/^\ufeff/, '') ?? null),
            );
        return part.columns.map(({ type }) => JSON.stringify(type)).join();
      } catch (error) {
        return shapeOf(toRefusal(error));
      }
    },
  };
}
