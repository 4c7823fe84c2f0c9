import { describe, expect, it } from '@jest/globals';
import { StoredTextPrinter } from '../../test/support/stored-text.js';

const printer = await StoredTextPrinter.open();

const CASES: readonly [value: string, document: string | null][] = [
  ['[]::INTEGER[]', '[]'],
  ['[]::DOUBLE[]', '[]'],
  ['[]', '[]'],
  ['[NULL]', '[null]'],
  ['NULL::DOUBLE[]', null],
  ['NULL::INTEGER[]', null],
  ['[1, NULL, 3]::BIGINT[3]', '[1,null,3]'],
  [`['1', NULL, 'nan', '-inf']::DOUBLE[4]`, '[1.0,null,"NaN","-Infinity"]'],
  ['[0.1::FLOAT, NULL]', '[0.1,null]'],
  ['[9223372036854775807, NULL]', '[9223372036854775807,null]'],
  ['[170141183460469231731687303715884105727]', '[170141183460469231731687303715884105727]'],
  ['[340282366920938463463374607431768211455::UHUGEINT]', '[340282366920938463463374607431768211455]'],
  [`[repeat('9', 50)::BIGNUM]`, `[${'9'.repeat(50)}]`],
  ['[-1.10::DECIMAL(38, 2), 0.05::DECIMAL(2, 2)]', '[-1.10,0.05]'],
  ['[0.05::DECIMAL(2, 2)]', '[0.05]'],
  [`['', 'a"b' || chr(10) || '\\', NULL, '😀']`, '["","a\\"b\\n\\\\",null,"😀"]'],
  [`['\\xAB'::BLOB]`, '["0xab"]'],
  [`['2020-01-01 00:00:00.5'::TIMESTAMP, 'infinity']`, '["2020-01-01 00:00:00.500 UTC","infinity"]'],
  [`['2020-01-01 00:00:00+02'::TIMESTAMPTZ]`, '["2019-12-31 22:00:00.000 UTC"]'],
  [`['2020-01-01'::TIMESTAMP_S]`, '["2020-01-01 00:00:00.000 UTC"]'],
  [`['2020-01-01 00:00:00.000000001'::TIMESTAMP_NS]`, '["2020-01-01 00:00:00.000000001 UTC"]'],
  [`[DATE '2020-01-01']`, '["2020-01-01"]'],
  [`[INTERVAL '-1 month']`, '["-1 month"]'],
  [`['10:00:00+01'::TIMETZ]`, '["10:00:00+01"]'],
  [`['101'::BIT]`, '["101"]'],
  [`['a'::ENUM('a', 'b')]`, '["a"]'],
  [`['c4ca4238-a0b9-2382-0dcc-509a6f75849b'::UUID]`, '["c4ca4238-a0b9-2382-0dcc-509a6f75849b"]'],
  [`['{"x": 1.10}'::JSON, NULL]`, '[{"x":1.10},null]'],
  [`[1.50::DECIMAL(5, 2)::VARIANT]`, '[1.50]'],
  ['[[1.5::DOUBLE], [], NULL]', '[[1.5],[],null]'],
  [`[[{'a': 'nan'::DOUBLE}], [NULL]]`, '[[{"a":"NaN"}],[null]]'],
  [`{'a': 1, 'b"c''d 😀': 'x', '\\': NULL}`, '{"a":1,"b\\"c\'d 😀":"x","\\\\":null}'],
  [`{'a': 1.5::DOUBLE, 'b"c''d 😀': 'x', '\\': NULL}`, '{"a":1.5,"b\\"c\'d 😀":"x","\\\\":null}'],
  [`NULL::STRUCT(a DOUBLE)`, null],
  [`{'a': NULL::STRUCT(b DOUBLE)}`, '{"a":null}'],
  [`{'a': {'a': {'a': [0.5::DOUBLE]}}}`, '{"a":{"a":{"a":[0.5]}}}'],
  [`row(1, 'x', row(NULL))`, '[1,"x",[null]]'],
  ['MAP {}', '{}'],
  ['MAP {}::MAP(INTEGER, DOUBLE)', '{}'],
  ['NULL::MAP(INTEGER, DOUBLE)', null],
  [`MAP {'a"b': 1, '': NULL}`, '{"a\\"b":1,"":null}'],
  ['MAP {1: [1.5::DOUBLE], 2: NULL, 3: []}', '{"1":[1.5],"2":null,"3":[]}'],
  [`MAP {DATE '2020-01-01': 0.5::DOUBLE}`, '{"2020-01-01":0.5}'],
  [`MAP {'nan'::DOUBLE: 1, 0.5::DOUBLE: 2}`, '{"NaN":1,"0.5":2}'],
  [`MAP {{'k': 1}: 'v'}`, '{"{\\"k\\":1}":"v"}'],
  [`MAP {true: 1, false: 0}`, '{"true":1,"false":0}'],
  ['union_value(a := 1)::UNION(a INTEGER, b VARCHAR)', '{"a":1}'],
  [`'x'::UNION(a INTEGER, "b""c" VARCHAR)`, '{"b\\"c":"x"}'],
  ['union_value(a := NULL::INTEGER)', '{"a":null}'],
  ['NULL::UNION(a INTEGER, b VARCHAR)', null],
  ['[union_value(a := 0.1::FLOAT), NULL]', '[{"a":0.1},null]'],
];

describe('a stored nested value', () => {
  it.each(CASES)('%s prints as %s', async (value, document) => {
    const text = await printer.print(`SELECT ${value} AS v`);
    expect(JSON.parse(text.json)).toEqual({ v: document });
    expect(text.csv).toBe(
      document === null
        ? '""\n'
        : `${document.includes(',') || document.includes('"') ? `"${document.replaceAll('"', '""')}"` : document}\n`,
    );
  });

  it('keeps each row to itself', async () => {
    const { json } = await printer.print(`
      SELECT * FROM (VALUES ([{'a': 0.5::DOUBLE, 't': ['x']}]), (NULL), ([]), ([NULL, {'a': NULL, 't': NULL}])) t(v)`);
    expect(
      json
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).v),
    ).toEqual(['[{"a":0.5,"t":["x"]}]', null, '[]', '[null,{"a":null,"t":null}]']);
  });

  it.each([9, 10, 11, 60])('keeps every digit %i lists deep', async (depth) => {
    const digits = '12345678901234567890.10';
    const { json } = await printer.print(
      `SELECT ${'['.repeat(depth)}${digits}::DECIMAL(38, 2)${']'.repeat(depth)} AS v`,
    );
    expect(JSON.parse(json)).toEqual({ v: `${'['.repeat(depth)}${digits}${']'.repeat(depth)}` });
  });

  it('prints a struct of many fields', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `f${index}`);
    const { json } = await printer.print(`SELECT {${names.map((name) => `${name}: 0.5::DOUBLE`).join(', ')}} AS v`);
    expect(JSON.parse(JSON.parse(json).v)).toEqual(Object.fromEntries(names.map((name) => [name, 0.5])));
  });
});
