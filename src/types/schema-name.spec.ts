import { describe, expect, it } from '@jest/globals';
import { openConnection } from '../../test/support/connection.js';
import { identifier, raw, sql } from '../duckdb/sql.js';
import { needsQuotes } from './schema-name.js';

const connection = await openConnection();

/** Schemas of the engine, which no account is named after. */
const TAKEN = ['system', 'temp'];

async function keywords(): Promise<string[]> {
  const rows = await connection.rows(sql`SELECT keyword_name FROM duckdb_keywords()`);
  return rows.map(([word]) => String(word)).filter((word) => !TAKEN.includes(word));
}

/** Whether a table of a schema can be named without quotes. */
async function isPlain(schema: string): Promise<boolean> {
  await connection.run(sql`CREATE SCHEMA ${identifier(schema)}`);
  await connection.run(sql`CREATE TABLE ${identifier(schema)}.t AS SELECT 1`);
  return connection.run(raw(`select * from ${schema}.t limit 10`)).then(
    () => true,
    () => false,
  );
}

describe('needsQuotes', () => {
  it('knows the words that the engine does not take for a schema', async () => {
    const words = await keywords();
    expect(words.length).toBeGreaterThan(400);
    const refused: string[] = [];
    for (const word of words) if (!(await isPlain(word))) refused.push(word);
    expect(words.filter(needsQuotes).toSorted()).toEqual(refused.toSorted());
  });

  it('asks for no quotes where there is nothing to quote for', () => {
    expect(['demo', 'orders', 'constructor'].filter(needsQuotes)).toEqual([]);
  });
});
