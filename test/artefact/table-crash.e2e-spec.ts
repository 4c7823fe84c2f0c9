import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Program, untilNobodyWorksIn } from '../support/program.js';
import { until } from '../support/until.js';

describe('a crash of the service while a table changes', () => {
  let template: string;
  let dataDir: string;
  let program: Program | undefined;

  const serve = async (settings: Record<string, string> = {}): Promise<Program> => {
    program = await Program.serve({ DATA_DIR: dataDir, ...settings });
    return program;
  };

  /** The data folder of a service that has the table. */
  beforeAll(async () => {
    template = dataDir = await mkdtemp(join(tmpdir(), 'eider-table-crash-'));
    const first = await serve();
    await upload(first, 'n\n1\n2\n');
    await first.stop('SIGTERM');
  });

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'eider-table-crash-'));
    await cp(template, dataDir, { recursive: true });
  });

  afterEach(async () => {
    await program?.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    await rm(dataDir, { recursive: true });
  });
  afterAll(() => rm(template, { recursive: true }));

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
    expect(await stagedFiles()).toEqual([]);
  }

  async function stagedFiles(): Promise<string[]> {
    return (await readdir(join(dataDir, 'staging'))).filter((name) => !name.startsWith('child-'));
  }

  function countParts(): number {
    const catalog = new DatabaseSync(join(dataDir, 'catalog.db'));
    const row = catalog.prepare('SELECT count(*) AS count FROM table_parts').get();
    catalog.close();
    return Number(row?.count);
  }

  /** Lets the grace time of parts that no table holds be over; tells how many there are. */
  function agePartsThatWereRemoved(): unknown {
    const catalog = new DatabaseSync(join(dataDir, 'catalog.db'));
    const { changes } = catalog.prepare("UPDATE removed_parts SET removed_at = '2020-01-01T00:00:00.000Z'").run();
    catalog.close();
    return changes;
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

  it.each(['parts-merged', 'merge-stored', 'merge-committed'])(
    'at %s of a merge leaves every row once, and nothing else',
    async (point) => {
      const insert = (server: Program, row: number) =>
        server.fetch('/table/demo/sizes/insert', { method: 'POST', body: `n\n${row}\n`, contentType: 'text/csv' });
      const crashing = await serve({ TEST_FAULT_POINT: point });
      for (let row = 3; row < 17; row++) expect((await insert(crashing, row)).status).toBe(200);
      // The sixteenth part is what makes them worth a merge.
      await Promise.allSettled([insert(crashing, 17)]);
      expect(await crashing.exited).toMatchObject({ signal: 'SIGKILL' });
      await untilNobodyWorksIn(dataDir);
      const restarted = await serve();
      const rows = (await rowsOf(restarted)).trim().split('\n').slice(1).map(Number);
      expect(rows).toEqual(Array.from({ length: rows.length }, (_, index) => index + 1));
      expect(rows.length).toBeGreaterThanOrEqual(16);
      // Where the crash came before the merge had counted, it is taken up again.
      await until(() => countParts() < 16);
      await until(async () => (await stagedFiles()).length === 0);
      await expectNoRemains();
      expect((await insert(restarted, rows.length + 1)).status).toBe(200);
      expect((await rowsOf(restarted)).trim().split('\n')).toHaveLength(rows.length + 2);
    },
  );

  it('in the middle of a sweep leaves parts that the next sweep deletes', async () => {
    const first = await serve();
    expect((await upload(first, 'n\n3\n')).status).toBe(200);
    expect((await upload(first, 'n\n4\n')).status).toBe(200);
    await first.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    expect(agePartsThatWereRemoved()).toBe(2);
    const crashing = Program.run(['sweep'], { DATA_DIR: dataDir, TEST_FAULT_POINT: 'part-deleted' });
    expect(await crashing.exited).toMatchObject({ signal: 'SIGKILL' });
    expect(knownBlobs()).toHaveLength(3);
    const again = Program.run(['sweep'], { DATA_DIR: dataDir });
    expect(await again.exited).toMatchObject({ code: 0 });
    expect(knownBlobs()).toHaveLength(1);
    const restarted = await serve();
    expect(await rowsOf(restarted)).toBe('n\n4\n');
    await expectNoRemains();
  });
});
