import { describe, expect, it } from '@jest/globals';
import { StoredTextPrinter } from '../../test/support/stored-text.js';
import { jsonRowSql } from './json-text.js';

const printer = await StoredTextPrinter.open();

describe('jsonRowSql', () => {
  it('keeps the order and the spelling of the columns', async () => {
    const { json } = await printer.print(
      `SELECT 1 AS b, 2 AS "A", 3 AS "say ""x"" 😀", 4 AS "it's", 5 AS " ", 6 AS "\\n"`,
    );
    expect(json).toBe('{"b":1,"A":2,"say \\"x\\" 😀":3,"it\'s":4," ":5,"\\\\n":6}\n');
  });

  it('prints an empty object for no columns', () => {
    expect(jsonRowSql([])).toEqual({ text: `'{}'`, values: [] });
  });

  it.each(['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT'])('prints safe %s columns as numbers', async (type) => {
    const { json } = await printer.print(`SELECT 9007199254740991::${type} AS v UNION ALL SELECT NULL`, {
      isSafeInteger: true,
    });
    expect(json).toBe('{"v":9007199254740991}\n{"v":null}\n');
  });

  it.each(['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT'])(
    'prints all values of unsafe %s columns as strings',
    async (type) => {
      const { json } = await printer.print(`SELECT 1::${type} AS v`);
      expect(json).toBe('{"v":"1"}\n');
    },
  );

  it('prints the greatest 128-bit integers, which are stored as text', async () => {
    const { json, csv } = await printer.print(
      'SELECT 340282366920938463463374607431768211455::UHUGEINT AS u, (-170141183460469231731687303715884105728)::HUGEINT AS h',
      { storedAs: 'text' },
    );
    expect(json).toBe(
      '{"u":"340282366920938463463374607431768211455","h":"-170141183460469231731687303715884105728"}\n',
    );
    expect(csv).toBe('340282366920938463463374607431768211455,-170141183460469231731687303715884105728\n');
  });

  it('quotes the NaN of one column and touches no other', async () => {
    const { json } = await printer.print(`
      SELECT * FROM (VALUES (1.5::DOUBLE, 0.1::FLOAT, 'NaN "Infinity"'), ('nan', NULL, 'NaN "Infinity"'), (NULL, '-inf', '\\"')) t(a, b, "Infinity")`);
    expect(json.trim().split('\n')).toEqual([
      '{"a":1.5,"b":0.1,"Infinity":"NaN \\"Infinity\\""}',
      '{"a":"NaN","b":null,"Infinity":"NaN \\"Infinity\\""}',
      '{"a":null,"b":"-Infinity","Infinity":"\\\\\\""}',
    ]);
  });

  it('prints rows of a thousand columns', async () => {
    const values = Array.from({ length: 1000 }, (_, index) => `${index}::DOUBLE AS c${index}`);
    const { json } = await printer.print(`SELECT ${values.join(', ')}`);
    expect(Object.values(JSON.parse(json))).toEqual(values.map((_, index) => index));
  });
});

describe('RAW_LINES', () => {
  it('writes text verbatim, a line per row', async () => {
    const texts = [
      'a "quoted" text',
      'a,b;c\td',
      'back\\slash \\n',
      '😀 é',
      '  spaces  ',
      '',
      '#',
      "it's",
      '""',
      'NULL',
    ];
    const { json } = await printer.print(
      `SELECT unnest([${texts.map((text) => `'${text.replaceAll("'", "''")}'`).join(', ')}]) AS v`,
    );
    expect(json).toBe(texts.map((v) => `${JSON.stringify({ v })}\n`).join(''));
  });
});
