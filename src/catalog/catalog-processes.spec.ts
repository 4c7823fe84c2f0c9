import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
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

describe('Catalog opened by several processes', () => {
  let folder: string;
  let script: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'catalog-'));
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

  it('is created once, and loses nothing that they write at the same time', async () => {
    const dataDir = join(folder, 'data');
    const count = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', COUNTER, script, dataDir]);
    await Promise.all([count(), count(), count()]);
    const catalog = await Catalog.open(dataDir);
    expect(await catalog.selectFrom('accounts').select('handle').execute()).toEqual([{ handle: '150' }]);
    await catalog.destroy();
  });
});
