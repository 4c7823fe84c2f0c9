import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inCatalogOf } from '../support/in-catalog.js';
import { Program, untilNobodyWorksIn } from '../support/program.js';

const LONG_AGO = '2020-01-01T00:00:00.000Z';

describe('eider sweep', () => {
  let dataDir: string;
  let expired: string;
  let kept: string;
  let files: { orphan: string; young: string; removed: string; justFound: string; orphanPart: string };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'eider-sweep-'));
    const server = await Program.serve({ DATA_DIR: dataDir });
    expired = await server.execute('SELECT 1 AS n');
    kept = await server.execute('SELECT 2 AS n');
    for (const id of [expired, kept]) await server.untilEnded(id);
    await server.stop('SIGTERM');
    await untilNobodyWorksIn(dataDir);
    files = {
      orphan: await givenFile('results/A1/01M7Y6YNG0CMQ2C5R61DAM1DA1-1.parquet', LONG_AGO),
      young: await givenFile('results/A2/01M7Y6YNG0CMQ2C5R61DAM1DA2-1.parquet', new Date().toISOString()),
      removed: await givenFile('tables/A3/01M7Y6YNG0CMQ2C5R61DAM1DA3.parquet', LONG_AGO),
      justFound: await givenFile('results/A5/01M7Y6YNG0CMQ2C5R61DAM1DA5-1.parquet', LONG_AGO),
      orphanPart: await givenFile('tables/A4/01M7Y6YNG0CMQ2C5R61DAM1DA4.parquet', LONG_AGO),
    };
    inCatalog(`UPDATE executions SET expires_at = '${LONG_AGO}' WHERE id = '${expired}'`);
    inCatalog(`INSERT INTO removed_parts VALUES ('01M7Y6YNG0CMQ2C5R61DAM1DA3.parquet', '${LONG_AGO}')`);
    givenFoundLongAgo('results', '01M7Y6YNG0CMQ2C5R61DAM1DA1-1.parquet');
    givenFoundLongAgo('tables', '01M7Y6YNG0CMQ2C5R61DAM1DA4.parquet');
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  async function givenFile(name: string, modifiedAt: string): Promise<string> {
    const path = join(dataDir, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'left behind');
    await utimes(path, new Date(modifiedAt), new Date(modifiedAt));
    return path;
  }

  const givenFoundLongAgo = (store: string, file: string) =>
    inCatalog(`INSERT INTO orphans VALUES ('${store}', '${file}', '${LONG_AGO}')`);

  const inCatalog = (sql: string) => inCatalogOf(dataDir, sql);

  const sweep = (...options: string[]) => Program.run(['sweep', ...options], { DATA_DIR: dataDir }).exited;
  const stored = () => Object.entries(files).flatMap(([name, path]) => (existsSync(path) ? [name] : []));
  const states = () => inCatalog('SELECT id, state FROM executions ORDER BY id');

  const listing = (verb: string) => `${verb} 1 expired results and 3 other files
expired  ${expired}
result without an execution  01M7Y6YNG0CMQ2C5R61DAM1DA1-1.parquet
part taken out of its table  01M7Y6YNG0CMQ2C5R61DAM1DA3.parquet
part without a table         01M7Y6YNG0CMQ2C5R61DAM1DA4.parquet
1 more without a row in the catalog: kept for ORPHAN_GRACE
`;

  it('lists with --dry-run what it would delete, and deletes nothing', async () => {
    expect(await sweep('--dry-run')).toEqual({ code: 0, signal: null, output: listing('Would delete') });
    expect(stored()).toEqual(['orphan', 'young', 'removed', 'justFound', 'orphanPart']);
    expect(states()).toEqual([
      { id: expired, state: 'COMPLETED' },
      { id: kept, state: 'COMPLETED' },
    ]);
  });

  it('deletes just that, and lists it', async () => {
    expect(await sweep()).toEqual({ code: 0, signal: null, output: listing('Deleted') });
    expect(stored()).toEqual(['young', 'justFound']);
    expect(states()).toEqual([
      { id: expired, state: 'EXPIRED' },
      { id: kept, state: 'COMPLETED' },
    ]);
  });

  it('prints JSON for programs', async () => {
    const { output } = await sweep('--dry-run', '--json');
    expect(JSON.parse(output)).toEqual({
      expired: [],
      orphans: [],
      removed_parts: [],
      orphan_parts: [],
      kept_orphans: 1,
    });
  });

  it('keeps orphans when a server starts on an older catalog, and warns about them and what it deletes', async () => {
    await Program.run(['sweep'], { DATA_DIR: dataDir, ORPHAN_GRACE: '0' }).exited;
    await rm(files.young);
    // As the backup of a catalog from before the execution.
    inCatalog(`DELETE FROM executions WHERE id = '${kept}'`);
    const file = `results/${kept.slice(-2)}/${kept}-1.parquet`;
    await utimes(join(dataDir, file), new Date(LONG_AGO), new Date(LONG_AGO));
    for (const [settings, isKept, message] of [
      [{}, true, 'Found files that the catalog does not refer to; a sweep deletes them after ORPHAN_GRACE'],
      [{}, true, undefined],
      [{ ORPHAN_GRACE: '0' }, false, 'Deleted files that the catalog does not refer to'],
    ] as const) {
      const server = await Program.serve({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...settings });
      const { output } = await server.stop('SIGTERM');
      const logged = output.split('\n').filter((line) => line.includes('does not refer'));
      expect(logged.map((line) => JSON.parse(line))).toEqual(
        message === undefined
          ? []
          : [expect.objectContaining({ level: 40, message, count: 1, files: [`results/${kept}-1.parquet`] })],
      );
      expect(existsSync(join(dataDir, file))).toBe(isKept);
      await untilNobodyWorksIn(dataDir);
    }
  });
});
