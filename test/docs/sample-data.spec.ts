import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { identifier, quoted, raw, type Sql, sql } from '../../src/duckdb/sql.js';
import { checkDeclarations } from '../../src/queries/check-declarations.js';
import type { GivenParameters, Parameter, ParameterType } from '../../src/queries/parameter.js';
import { findPlaceholders } from '../../src/queries/parse-template.js';
import { substituteParameters } from '../../src/queries/substitute-parameters.js';
import type { LogicalType } from '../../src/types/column.js';
import { openConnection } from '../support/connection.js';

interface SampleTable {
  readonly name: string;
  readonly file: string;
  readonly row_count: number;
  readonly columns: readonly { readonly name: string; readonly type: LogicalType }[];
}

/** A parameter as clients write it (`docs/contract.md`, "Parameters"). */
interface SampleParameter {
  readonly key: string;
  readonly type: ParameterType;
  readonly value: string;
  readonly enumOptions?: readonly string[];
  readonly description: string;
}

interface SampleQuery {
  readonly name: string;
  readonly sql: string;
  readonly parameters: readonly SampleParameter[];
}

const FOLDER = join(import.meta.dirname, '../../data/sample');
const MAX_FOLDER_BYTES = 3_000_000;
const { tables, queries }: { tables: SampleTable[]; queries: SampleQuery[] } = JSON.parse(
  readFileSync(join(FOLDER, 'sample.json'), 'utf8'),
);
const [lateArrivals, milesByMonth, allFlights] = queries as [SampleQuery, SampleQuery, SampleQuery];

const parquet = ({ file }: SampleTable): Sql => sql`read_parquet(${quoted(join(FOLDER, file))})`;

function declared({ parameters }: SampleQuery): Parameter[] {
  return parameters.map(({ value, enumOptions = [], ...rest }) => ({ ...rest, enumOptions, defaultValue: value }));
}

function render(query: SampleQuery, given: GivenParameters = {}): Sql {
  return raw(substituteParameters(query.sql, declared(query), given).sql);
}

const connection = await openConnection();

describe('data/sample', () => {
  beforeAll(async () => {
    await connection.run(sql`CREATE SCHEMA demo`);
    for (const table of tables)
      await connection.run(sql`CREATE VIEW demo.${identifier(table.name)} AS FROM ${parquet(table)}`);
  });

  const countRows = async (statement: Sql) => {
    const [row] = await connection.rows(sql`SELECT count(*)::INTEGER FROM (${statement})`);
    return row?.[0];
  };

  it('holds the manifest and the files that it names, and stays small', () => {
    const files = readdirSync(FOLDER);
    expect(files.sort()).toEqual([...tables.map(({ file }) => file), 'sample.json'].sort());
    const sizes = files.map((file) => statSync(join(FOLDER, file)).size);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_FOLDER_BYTES);
  });

  it('has the origin and licence of each file in data/README.md', () => {
    const readme = readFileSync(join(FOLDER, '../README.md'), 'utf8');
    const documented = [...readme.matchAll(/^\| `(\S+\.parquet)` \|/gm)].map(([, file]) => file);
    expect(documented).toEqual(tables.map(({ file }) => file));
  });

  it('has a table of 100,000 rows or more', () => {
    expect(Math.max(...tables.map((table) => table.row_count))).toBeGreaterThanOrEqual(100_000);
  });

  it.each(tables)('has in $file the rows and the columns of the table $name', async (table) => {
    expect(await connection.describe(sql`FROM ${parquet(table)} LIMIT 0`)).toEqual(table.columns);
    expect(await countRows(sql`FROM ${parquet(table)}`)).toBe(table.row_count);
  });

  it('knows both airports of every flight', async () => {
    const known = raw('SELECT iata FROM demo.airports');
    const strays = sql`FROM demo.flights WHERE origin NOT IN (${known}) OR destination NOT IN (${known})`;
    expect(await countRows(strays)).toBe(0);
  });

  it.each(queries)('declares the parameters that stand in "$name"', (query) => {
    expect(() => checkDeclarations(declared(query))).not.toThrow();
    expect(findPlaceholders(query.sql)).toEqual(query.parameters.map(({ key }) => key));
  });

  it.each(queries)('runs "$name" with its defaults', async (query) => {
    expect(await countRows(render(query))).toBeGreaterThan(0);
  });

  it('takes other values for the parameters of a query', async () => {
    const given = { origin: 'ATL', since: '2001-06-01', minimum_delay: 200, direction: 'ASC' };
    const statement = sql`SELECT arrival_delay_minutes FROM (${render(lateArrivals, given)})`;
    const delays = (await connection.rows(statement)).map(([delay]) => Number(delay));
    expect(delays.length).toBeGreaterThan(1);
    expect(delays).toEqual(delays.toSorted((a, b) => a - b));
    expect(delays[0]).toBeGreaterThanOrEqual(200);
  });

  it('sums to HUGEINT over a window in one query', async () => {
    expect(await connection.describe(render(milesByMonth))).toContainEqual({
      name: 'miles_so_far',
      type: { kind: 'scalar', name: 'HUGEINT' },
    });
  });

  it('has a query whose result is 100,000 rows or more', async () => {
    expect(await countRows(render(allFlights))).toBeGreaterThanOrEqual(100_000);
  });
});
