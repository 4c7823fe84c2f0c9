import { describe, expect, it } from '@jest/globals';
import { openConnection } from '../../../../../test/support/connection.js';
import { sql } from '../../../../duckdb/sql.js';
import functions from './functions.json' with { type: 'json' };

/** Functions that the parser makes up: the engine does not list them. */
const UNLISTED = ['__postfix', 'unnest'];

const connection = await openConnection();
const rows = await connection.rows(sql`
  SELECT DISTINCT function_name FROM duckdb_functions()
  WHERE function_type IN ('scalar', 'aggregate', 'macro')`);
const existing = rows.map(([name]) => String(name));

describe('functions.json', () => {
  it('was made for the engine that is installed', async () => {
    const [[version] = []] = await connection.rows(sql`SELECT version()`);
    expect(version).toBe(functions.engineVersion);
  });

  it('says of every function of the engine whether a statement may call it', () => {
    const known = new Set([...functions.allowed, ...functions.refused]);
    expect(existing.filter((name) => !known.has(name))).toEqual([]);
  });

  it('lists nothing that the engine does not have', () => {
    const listed = [...functions.allowed, ...functions.refused];
    expect(listed.filter((name) => !existing.includes(name)).sort()).toEqual(UNLISTED);
  });

  it('does not allow what it refuses', () => {
    expect(functions.allowed.filter((name) => functions.refused.includes(name))).toEqual([]);
  });
});
