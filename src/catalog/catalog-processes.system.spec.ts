import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { projectRoot } from '../config/project-root.js';
import { Catalog } from './catalog.js';

/** Opens the catalog and counts up in a row of it, reading before it writes, as the services do. */
const COUNTER = `
const { Catalog } = await import(process.argv[1]);
const catalog = await Catalog.open(process.argv[2]);
const row = { id: '1', handle: '0', type: 'user', plan: 'free', created_at: '' };
await catalog.insertInto('accounts').values(row).onConflict((conflict) => conflict.doNothing()).execute();
for (let i = 0; i < 50; i++) {
  await catalog.inTransaction(async (transaction) => {
    const { handle } = await transaction.selectFrom('accounts').select('handle').executeTakeFirstOrThrow();
    await transaction.updateTable('accounts').set({ handle: String(Number(handle) + 1) }).execute();
  });
}
await catalog.destroy();
`;

/** Writes to the catalog and leaves it open. */
const WRITES_AND_ENDS = `
const { Catalog } = await import(process.argv[1]);
const catalog = await Catalog.open(process.argv[2]);
const row = { id: '1', handle: 'ada', type: 'user', plan: 'free', created_at: '' };
await catalog.insertInto('accounts').values(row).execute();
`;

describe('Catalog opened by several processes', () => {
  let folder: string;
  let script: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(projectRoot(), 'dist/catalog-'));
    script = join(folder, 'catalog.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'catalog.ts')],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const run = (program: string, dataDir: string) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, script, dataDir]);

  it('is created once, and loses nothing that they write at the same time', async () => {
    const dataDir = join(folder, 'counted');
    await Promise.all([run(COUNTER, dataDir), run(COUNTER, dataDir), run(COUNTER, dataDir)]);
    const catalog = await Catalog.open(dataDir);
    expect(await catalog.selectFrom('accounts').select('handle').execute()).toEqual([{ handle: '150' }]);
    await catalog.destroy();
  });

  it('keeps no process from ending that has nothing else to do, once what it wrote is kept', async () => {
    const dataDir = join(folder, 'left-open');
    await run(WRITES_AND_ENDS, dataDir);
    const catalog = await Catalog.open(dataDir);
    expect(await catalog.selectFrom('accounts').select('handle').execute()).toEqual([{ handle: 'ada' }]);
    await catalog.destroy();
  });
});
