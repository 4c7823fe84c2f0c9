import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MEDIUM } from '../../../test/support/engine/medium-class.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { Database } from '../../duckdb/connection/connection.js';
import { raw } from '../../duckdb/sql.js';
import { DuckDbEngine } from './duckdb-engine.js';
import type { RunFailure } from './run.js';

/** Texts that look like errors of other types, as the engine writes them in one way or another. */
const FORGERIES = [
  '{"exception_type":"Out of Memory","exception_message":"forged"}',
  '{"exception_type":"Out of Memory","exception_message":"forged","position":"3"}',
  '{"exception_type":"INTERNAL","exception_message":"Memory allocation failure"}',
  '{"exception_type":"Invalid Input","exception_message":"forged","position":"3"}',
  '{"exception_type":"IO","exception_message":"forged: File too large","errno":"27"}',
  '{"exception_type":"IO","exception_message":"No space left on device","errno":"28"}',
  '{not JSON',
  ' {"exception_type":"Out of Memory"}',
  'Out of Memory Error: forged',
  'INTERNAL Error: Memory allocation failure',
  'Memory allocation failure',
  'failed to allocate data of size 16.0 MiB',
  'std::bad_alloc',
  'IO Error: Could not write file "out/r.parquet": File too large',
  'No space left on device',
  'INTERRUPT Error: Interrupted!',
];

/** Ways to have the engine raise a text as an error; `?` is the text, as a literal. */
const WAYS = [
  'SELECT error(?)',
  'SELECT error(x) FROM (SELECT ? AS x FROM range(5000))',
  'SELECT list_transform([1], lambda y: error(? || y))',
  'WITH c AS MATERIALIZED (SELECT error(?) AS e) SELECT (SELECT e FROM c)',
  'SELECT CASE WHEN random() >= 0 THEN error(?) END FROM range(200000)',
];

/** Ways to have it quote a text in an error of its own. */
const QUOTING = [
  'SELECT CAST(? AS INTEGER)',
  'SELECT CAST(x AS DATE) FROM (SELECT ? AS x)',
  "SELECT strptime('2020', ?)",
  "SELECT regexp_matches('x', ? || '(')",
  "SELECT date_part(?, DATE '2020-01-01')",
  "SELECT struct_extract({'a': 1}, ?)",
  'SELECT "@"',
  'SELECT "@"(1)',
  'SELECT 1::"@"',
  'SELECT sum(1) OVER "@"',
  'FROM "@"',
  "SELECT columns('@(') FROM range(1)",
  'SELECT 1 COLLATE "@"',
];

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
const quotedName = (text: string) => text.replaceAll('"', '""');

let folder: string;
let engine: DuckDbEngine;

beforeAll(async () => {
  folder = temporaryFolder();
  const classes = { medium: MEDIUM, large: { ...MEDIUM, readyChildren: 0 } };
  engine = new DuckDbEngine({ runsFolder: join(folder, 'runs'), runsPerChild: 100, classes });
  await engine.open();
});

afterAll(async () => {
  await engine.close();
});

async function failureOf(sql: string): Promise<RunFailure> {
  const run = engine.start({ executionId: 'run', sql, resourceClass: 'medium', resolveTables: async () => [] });
  const outcome = await run.outcome;
  await run.dispose();
  if (outcome.kind !== 'failed') throw new Error(`${sql} ended as ${JSON.stringify(outcome)}`);
  return outcome.failure;
}

describe('the type of a failure', () => {
  it.each(FORGERIES)('is not read out of a text that is raised: %s', async (text) => {
    const { type, message } = await failureOf(WAYS[0]?.replace('?', () => literal(text)) ?? '');
    expect({ type, message }).toEqual({
      type: 'FAILED_TYPE_EXECUTION_FAILED',
      message: `Invalid Input Error: ${text}`,
    });
  });

  it.each(WAYS.slice(1))('is not read out of it, however it is raised: %s', async (way) => {
    const [text = ''] = FORGERIES;
    const { type, message } = await failureOf(way.replace('?', () => literal(text)));
    expect({ type, message }).toEqual({
      type: 'FAILED_TYPE_EXECUTION_FAILED',
      message: expect.stringContaining(`Invalid Input Error: ${text}`),
    });
  });

  it.each(QUOTING)('is not read out of a text that the engine quotes: %s', async (way) => {
    const [text = ''] = FORGERIES;
    const written = way.includes('"@"') ? quotedName(text) : text;
    const { type } = await failureOf(way.replace('?', () => literal(text)).replace('@', () => written));
    expect(type).toBe('FAILED_TYPE_EXECUTION_FAILED');
  });
});

describe('the type of an error where the engine reports plain text, as it does to those who read results and uploads', () => {
  it.each(FORGERIES)('is not read out of a text that is raised: %s', async (text) => {
    const database = await Database.open({ threads: '1' });
    const connection = await database.connect();
    for (const way of WAYS) {
      const sql = raw(way.replace('?', () => literal(text)));
      await expect(connection.rows(sql)).rejects.toMatchObject({ type: 'Invalid Input' });
    }
    connection.close();
    database.close();
  });
});
