import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Program, untilNobodyWorksIn } from '../support/program.js';

describe('a crash of the service while a table changes', () => {
  let dataDir: string;
  let program: Program | undefined;

  const serve = async (settings: Record<string, string> = {}): Promise<Program> => {
    program = await Program.serve({ DATA_DIR: dataDir, ...settings });
    return program;
  };

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'eider-table-crash-'));
    const first = await serve();
    await upload(first, 'n\n1\n2\n');
    await first.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
  });

  afterEach(async () => {
    await program?.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    await rm(dataDir, { recursive: true });
  });

  const upload = (server: Program, data: string) =>
    server.fetch('/table/upload/csv', { method: 'POST', body: { table_name: 'sizes', data } });

  async function rowsOf(server: Program): Promise<string> {
    const id = await server.execute('SELECT n FROM sizes');
    await server.untilEnded(id);
    return (await server.read(id)).csv;
  }

  /** Blobs that the catalog knows. */
  function knownBlobs(): unknown[] {
    const catalog = new DatabaseSync(join(dataDir, 'catalog.db'));
    const rows = catalog
      .prepare('SELECT blob FROM table_parts UNION ALL SELECT blob FROM removed_parts ORDER BY 1')
      .all();
    catalog.close();
    return rows.map(({ blob }) => blob);
  }

  /** Expects the blobs that the catalog knows, and nothing of an upload under way. */
  async function expectNoRemains(): Promise<void> {
    const stored = (await readdir(join(dataDir, 'tables'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    expect(stored.toSorted()).toEqual(knownBlobs());
    const staged = await readdir(join(dataDir, 'staging'));
    expect(staged.filter((name) => !name.startsWith('child-'))).toEqual([]);
  }

  it.each([
    { point: 'upload-staged', rows: 'n\n1\n2\n' },
    { point: 'part-stored', rows: 'n\n1\n2\n' },
    { point: 'table-committed', rows: 'n\n3\n' },
  ])('at $point leaves one version or the other whole, and nothing else', async ({ point, rows }) => {
    const crashing = await serve({ TEST_FAULT_POINT: point });
    await expect(upload(crashing, 'n\n3\n')).rejects.toThrow();
    expect(await crashing.exited).toMatchObject({ signal: 'SIGKILL' });
    await untilNobodyWorksIn(dataDir);
    const restarted = await serve();
    expect(await rowsOf(restarted)).toBe(rows);
    await expectNoRemains();
    expect((await upload(restarted, 'n\n4\n')).status).toBe(200);
    expect(await rowsOf(restarted)).toBe('n\n4\n');
  });
});
