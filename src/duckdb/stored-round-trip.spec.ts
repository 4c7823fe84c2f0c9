import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Column } from './column.js';
import { CSV_FORMAT, csvValueSql } from './csv-text.js';
import { type Connection, Database } from './engine/engine.js';
import { jsonRowSql, RAW_LINES } from './json-text.js';
import { identifier, join, quoted, raw, sql } from './sql.js';
import { storedForm, toStoredSql } from './stored-form.js';

let folder: string;
let database: Database;
let connection: Connection;

beforeAll(async () => {
  folder = await mkdtemp(joinPath(tmpdir(), 'stored-'));
  database = await Database.open({ threads: '1' });
  connection = await database.connect();
  // Any zone but UTC: no text may depend on it.
  await connection.run(raw(`SET TimeZone = 'Asia/Kolkata'`));
});

afterAll(async () => {
  connection.close();
  database.close();
  await rm(folder, { recursive: true });
});

/** Stores what a query yields as a result is stored, and reads it back as JSON lines and as CSV. */
async function roundTrip(query: string, isSafeInteger = false) {
  const described = await connection.describe(sql`SELECT * FROM (${raw(query)}) LIMIT 0`);
  const columns = described.map(
    ({ name, type }): Column => ({ name, type, storedAs: storedForm(type), isSafeInteger }),
  );
  const projection = columns.map(
    ({ name, type, storedAs }) => sql`${toStoredSql(identifier(name), type, storedAs)} AS ${identifier(name)}`,
  );
  const [parquet, json, csv] = ['r.parquet', 'r.json', 'r.csv'].map((file) => quoted(joinPath(folder, file)));
  if (!parquet || !json || !csv) throw new Error('three paths');
  await connection.run(sql`COPY (SELECT ${projection} FROM (${raw(query)})) TO ${parquet} (FORMAT parquet)`);
  await connection.run(
    sql`COPY (SELECT ${jsonRowSql(columns)} FROM read_parquet(${parquet})) TO ${json} (${RAW_LINES})`,
  );
  const values = columns.map((column) => sql`${csvValueSql(column)} AS ${identifier(column.name)}`);
  await connection.run(
    sql`COPY (SELECT ${join(values, ', ')} FROM read_parquet(${parquet})) TO ${csv} (${CSV_FORMAT})`,
  );
  return {
    columns,
    json: await readFile(joinPath(folder, 'r.json'), 'utf8'),
    csv: await readFile(joinPath(folder, 'r.csv'), 'utf8'),
  };
}

const CASES: [title: string, value: string, json: string, csv: string][] = [
  ['boolean', 'true', 'true', 'true'],
  ['tinyint', '(-128)::TINYINT', '-128', '-128'],
  ['ubigint', '18446744073709551615::UBIGINT', '"18446744073709551615"', '18446744073709551615'],
  ['bigint', '(-9223372036854775808)::BIGINT', '"-9223372036854775808"', '-9223372036854775808'],
  [
    'hugeint',
    '(-99999999999999999999999999999999999999)::HUGEINT',
    '"-99999999999999999999999999999999999999"',
    '-99999999999999999999999999999999999999',
  ],
  ['double nan', `'nan'::DOUBLE`, '"NaN"', 'NaN'],
  ['double -inf', `'-inf'::DOUBLE`, '"-Infinity"', '-Infinity'],
  ['double', `1e300::DOUBLE`, '1e300', '1e300'],
  ['float', `0.1::FLOAT`, '0.1', '0.1'],
  ['float inf', `'inf'::FLOAT`, '"Infinity"', 'Infinity'],
  ['double null', `NULL::DOUBLE`, 'null', ''],
  ['ts', `'2020-01-01 00:00:00'::TIMESTAMP`, '"2020-01-01 00:00:00.000 UTC"', '2020-01-01 00:00:00.000 UTC'],
  [
    'tsns',
    `'2020-01-01 00:00:00.1234567'::TIMESTAMP_NS`,
    '"2020-01-01 00:00:00.1234567 UTC"',
    '2020-01-01 00:00:00.1234567 UTC',
  ],
  ['tss', `'infinity'::TIMESTAMP_S`, '"infinity"', 'infinity'],
  ['tsns inf', `'-infinity'::TIMESTAMP_NS`, '"-infinity"', '-infinity'],
  ['tstz', `'2020-01-01 00:00:00.12+02'::TIMESTAMPTZ`, '"2019-12-31 22:00:00.120 UTC"', '2019-12-31 22:00:00.120 UTC'],
  ['tstz inf', `'infinity'::TIMESTAMPTZ`, '"infinity"', 'infinity'],
  [
    'ts bc',
    `'0044-03-15 (BC) 10:00:00.5'::TIMESTAMP`,
    '"0044-03-15 (BC) 10:00:00.500 UTC"',
    '0044-03-15 (BC) 10:00:00.500 UTC',
  ],
  [
    'struct',
    `{'a': 1, 'b"c': [1.5, NULL, 'nan'::DOUBLE], 'd': '{"x": 1.10}'::JSON}`,
    JSON.stringify('{"a":1,"b\\"c":[1.5,null,"NaN"],"d":{"x":1.10}}'),
    '"{""a"":1,""b\\""c"":[1.5,null,""NaN""],""d"":{""x"":1.10}}"',
  ],
  ['unnamed', `row(1, 'x', [row('y')])`, JSON.stringify('[1,"x",[["y"]]]'), '"[1,""x"",[[""y""]]]"'],
  [
    'map',
    `MAP {1: [1], 2: NULL, 3: []}`,
    JSON.stringify('{"1":[1],"2":null,"3":[]}'),
    '"{""1"":[1],""2"":null,""3"":[]}"',
  ],
  ['union', `union_value(a := 1)::UNION(a INT, b VARCHAR)`, JSON.stringify('{"a":1}'), '"{""a"":1}"'],
  ['null', `NULL`, 'null', ''],
  [
    'variant',
    `{'a': 'nan'::DOUBLE, 'b': 1.50::DECIMAL(20,2)}::VARIANT`,
    JSON.stringify('{"a":"NaN","b":1.50}'),
    '"{""a"":""NaN"",""b"":1.50}"',
  ],
];

describe('a stored value', () => {
  it.each(CASES)('of %s prints exactly in JSON and CSV', async (_title, value, json, csv) => {
    const read = await roundTrip(`SELECT ${value} AS v`);
    expect(read.json).toBe(`{"v":${json}}\n`);
    expect(read.csv).toBe(`v\n${csv}\n`);
  });
});
