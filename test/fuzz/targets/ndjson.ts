import { deepStrictEqual } from 'node:assert';
import type { ScalarName } from '../../../src/types/scalar-types.js';
import type { TableColumn } from '../../../src/types/table-column.js';
import type { TemporaryIngest } from '../../support/temporary-ingest.js';
import type { FuzzTarget } from '../fuzz.js';
import { shapeOf, toRefusal } from '../refusal.js';

const TYPES: Readonly<Record<string, ScalarName>> = {
  n: 'BIGINT',
  x: 'DOUBLE',
  s: 'VARCHAR',
  b: 'BOOLEAN',
  at: 'TIMESTAMP',
};
const COLUMNS: readonly TableColumn[] = Object.entries(TYPES).map(([name, type]) => ({
  name,
  type: { kind: 'scalar', name: type },
  nullable: true,
}));

const line = (row: object) => `${JSON.stringify(row)}\n`;

/**
 * Lines of JSON that become rows: refused with a reason, or every line is what `JSON.parse` makes
 * of it.
 */
export function ndjsonTarget(temporary: TemporaryIngest): FuzzTarget {
  return {
    name: 'ndjson',
    runs: 250,
    seeds: [
      [1, 2, 3].map((n) => line({ n, x: n / 2, s: `text ${n}`, b: true, at: '2024-02-29T12:00:00Z' })).join(''),
      line({ s: 'é "\\ \u0000😀', n: null }) + line({ at: '2024-02-29 12:00:00.123', b: false }),
      '{"n": "9223372036854775807", "x": -1.5e3 , "s":"\\u00e9\\ud83d\\ude00"}\r\n\n{}\n',
    ],
    words: [
      '"s":',
      '"n":',
      '\\u',
      '\\ud83d',
      '\\"',
      '\n',
      '\r\n',
      '{}',
      'null',
      '1e400',
      '-0',
      '{"a":',
      '[',
      ']',
      '\ufeff',
    ],
    async check(input) {
      const staged = await temporary.stage(input);
      try {
        const part = await temporary.ingest.appendNdjson(staged, COLUMNS);
        const lines = input.toString().split('\n');
        const expected = lines.filter((text) => text.trim() !== '').map((text) => JSON.parse(text));
        deepStrictEqual(part.rowCount, expected.length);
        const rows = await temporary.rows(part);
        const column = part.columns.findIndex(({ name }) => name === 's');
        deepStrictEqual(
          rows.map((row) => row[column]),
          expected.map(({ s = null }) => s),
        );
        return `${part.rowCount} rows`;
      } catch (error) {
        return shapeOf(toRefusal(error));
      }
    },
  };
}
