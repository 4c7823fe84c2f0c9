import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openConnection } from '../../../../test/support/connection.js';
import { givenSampleTables } from '../../../../test/support/engine/sample-tables.js';
import { temporaryFolder } from '../../../../test/support/temporary-folder.js';
import { identifier, quoted, raw, sql } from '../../../duckdb/sql.js';
import { RESULT_FILE } from '../run-messages.js';
import { gateStatement } from './gate/statement-gate.js';
import { planColumns } from './result-columns.js';
import { SERIALIZATION } from './sandbox.js';
import { storeResult } from './store-result.js';

const STATEMENTS = JSON.parse(readFileSync('test/corpus/legitimate.json', 'utf8')) as { name: string; sql: string }[];

const projectFolder = process.cwd();
const folder = temporaryFolder();
const connection = await openConnection({ max_expression_depth: '250', ...SERIALIZATION });

beforeAll(async () => {
  const { tables } = await givenSampleTables(folder);
  for (const { name, parts } of tables) {
    await connection.run(sql`CREATE VIEW ${identifier(name)} AS SELECT * FROM read_parquet(${quoted(parts[0] ?? '')})`);
  }
  await mkdir(join(folder, 'out'));
  process.chdir(folder);
});

afterAll(() => process.chdir(projectFolder));

describe('a legitimate statement', () => {
  it.each(STATEMENTS)('passes the gate and keeps its rows: $name', async ({ sql: text }) => {
    const expected = await connection.rows(raw(text));
    const statement = await gateStatement(connection, text);
    const wrapped = raw(`SELECT * FROM (\n${statement.body}\n) AS __q`);
    expect(await connection.rows(wrapped)).toEqual(expected);
    const columns = planColumns(await connection.describe(wrapped));
    const { rowCount } = await storeResult(connection, statement, columns);
    expect(rowCount).toBe(expected.length);
    expect(await connection.describe(sql`SELECT * FROM read_parquet(${quoted(RESULT_FILE)})`)).toHaveLength(
      columns.length,
    );
  });
});
