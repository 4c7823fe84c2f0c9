import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rootWarning } from '../../src/common/root-warning.js';
import { Program } from '../support/program.js';

describe('eider doctor', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eider-sick-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function examine(dataDir: string): Promise<{ code: number | null; findings: unknown[] }> {
    const { code, output } = await Program.run(['doctor', '--json'], { DATA_DIR: dataDir, TMPDIR: folder }).exited;
    return { code, findings: JSON.parse(output) };
  }

  it('finds a machine well on which all works, engine included, and leaves nothing', async () => {
    const server = await Program.serve({ DATA_DIR: join(folder, 'data') });
    await server.stop('SIGTERM');
    const { code, findings } = await examine(join(folder, 'data'));
    expect({ code, findings }).toEqual({
      code: 0,
      findings: [
        { name: 'node', ok: true, message: `version ${process.versions.node}` },
        process.getuid?.() === 0
          ? { name: 'user', ok: true, isWarning: true, message: rootWarning() }
          : { name: 'user', ok: true, message: 'is not root' },
        { name: 'memory', ok: true, message: expect.stringContaining('1 workers of up to 1 GB') },
        { name: 'data folder', ok: true, message: 'can be written' },
        { name: 'file modes', ok: true, message: 'other users can read nothing' },
        { name: 'catalog', ok: true, message: 'opens, 1 accounts' },
        {
          name: 'engine',
          ok: true,
          message:
            'runs statements, holds them to their memory, threads, time, size of the result, spilled data; ' +
            'reads parquet, csv, ndjson files; tells progress',
        },
      ],
    });
    expect(await readdir(folder)).toEqual(['data']);
  });

  it('creates no data folder', async () => {
    const { code, findings } = await examine(join(folder, 'none', 'data'));
    expect(code).toBe(0);
    expect(findings).toEqual(
      expect.arrayContaining([
        { name: 'data folder', ok: true, message: 'does not exist yet, serve creates it' },
        { name: 'file modes', ok: true, message: 'none yet' },
        { name: 'catalog', ok: true, message: 'none yet' },
      ]),
    );
    expect(await readdir(folder)).toEqual(['data']);
  });

  it('says what is wrong, and exits with 1', async () => {
    await writeFile(join(folder, 'file'), '');
    const { code, findings } = await examine(join(folder, 'file', 'data'));
    expect(code).toBe(1);
    expect(findings).toContainEqual({ name: 'data folder', ok: false, message: expect.stringContaining('ENOTDIR') });
    expect(findings).toContainEqual({ name: 'engine', ok: true, message: expect.stringContaining('runs statements') });
  });
});
