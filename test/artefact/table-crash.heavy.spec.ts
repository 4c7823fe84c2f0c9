import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expectWell } from '../support/expect-well.js';
import { inCatalogOf } from '../support/in-catalog.js';
import { Program, untilNobodyWorksIn } from '../support/program.js';
import { until } from '../support/until.js';

const NDJSON = 'application/x-ndjson';
/** So many rows that take a megabyte each are read in two segments. */
const MEGABYTES = 70;

/** What is staged: sizes of the texts, and whether each part is whole. */
interface Staged {
  readonly texts: readonly number[];
  readonly parts: readonly boolean[];
}

describe('a crash of the service while a table changes', () => {
  let template: string;
  let dataDir: string;
  let program: Program | undefined;

  const serve = async (settings: Record<string, string> = {}): Promise<Program> => {
    // Orphans go at once, so that a restart shows which ones there were.
    program = await Program.serve({ DATA_DIR: dataDir, ORPHAN_GRACE: '0', ...settings });
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

  const insert = (server: Program, body: string | ReadableStream, contentType = 'text/csv') =>
    server.fetch('/table/demo/sizes/insert', { method: 'POST', body, contentType });

  /** Rows behind those that the table has. */
  function severalPieces(): string {
    const blanks = ' '.repeat(2 ** 20);
    return Array.from({ length: MEGABYTES }, (_, index) => `{"n":${index + 3}${blanks}}\n`).join('');
  }

  /** A body of which no more than this ever comes. */
  const unended = (text: string) =>
    new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(text)) });

  async function rowsOf(server: Program): Promise<string> {
    const id = await server.execute('SELECT n FROM sizes');
    await server.untilEnded(id);
    return (await server.read(id)).csv;
  }

  const inCatalog = (sql: string) => inCatalogOf(dataDir, sql);

  /** Blobs that the catalog has. */
  const knownBlobs = () =>
    inCatalog('SELECT blob FROM table_parts UNION ALL SELECT blob FROM removed_parts ORDER BY 1').map(
      ({ blob }) => blob,
    );

  /** Expects the blobs that the catalog has, and nothing of an upload under way. */
  async function expectNoRemains(): Promise<void> {
    const stored = (await readdir(join(dataDir, 'tables'), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    expect(stored.toSorted()).toEqual(knownBlobs());
    expect(await stagedFiles()).toEqual([]);
    await expectWell(dataDir);
  }

  async function stagedFiles(): Promise<string[]> {
    return (await readdir(join(dataDir, 'staging'))).filter((name) => !name.startsWith('child-'));
  }

  /** A file may be gone when it is looked at. */
  async function findStaged(): Promise<Staged> {
    const names = await stagedFiles();
    const look = <T>(kind: string, lookAt: (path: string) => Promise<T>, otherwise: T) =>
      Promise.all(
        names
          .filter((name) => name.endsWith(kind))
          .map((name) => lookAt(join(dataDir, 'staging', name)).catch(() => otherwise)),
      );
    return {
      texts: await look('.upload', async (path) => (await stat(path)).size, 0),
      // A whole file of this format ends as it begins.
      parts: await look('.parquet', async (path) => (await readFile(path)).subarray(-4).toString() === 'PAR1', false),
    };
  }

  const countParts = () => inCatalog('SELECT blob FROM table_parts').length;

  /** Lets the grace time of parts that no table holds be over; returns how many there are. */
  const agePartsThatWereRemoved = () =>
    inCatalog("UPDATE removed_parts SET removed_at = '2020-01-01T00:00:00.000Z' RETURNING blob").length;

  it.each([
    { point: 'upload-staged', rows: 'n\n1\n2\n' },
    { point: 'part-stored', rows: 'n\n1\n2\n' },
    { point: 'table-committed', rows: 'n\n3\n' },
  ])('at $point leaves one version or the other whole, and nothing else', async ({ point, rows }) => {
    const crashing = await serve({ TEST_FAILPOINT: `${point}=crash` });
    await expect(upload(crashing, 'n\n3\n')).rejects.toThrow();
    expect(await crashing.exited).toMatchObject({ signal: 'SIGKILL' });
    await untilNobodyWorksIn(dataDir);
    const restarted = await serve();
    expect(await rowsOf(restarted)).toBe(rows);
    await expectNoRemains();
    expect((await upload(restarted, 'n\n4\n')).status).toBe(200);
    expect(await rowsOf(restarted)).toBe('n\n4\n');
  });

  it.each<{ moment: string; contentType: string; isReached: (staged: Staged) => boolean }>([
    {
      moment: 'CSV arrives',
      contentType: 'text/csv',
      isReached: ({ texts: [sizeBytes = 0] }) => sizeBytes > 0,
    },
    {
      moment: 'NDJSON arrives and a piece of it is made a part',
      contentType: NDJSON,
      isReached: ({ parts }) => parts.length === 1,
    },
    {
      moment: 'NDJSON arrives behind a piece that is a part',
      contentType: NDJSON,
      isReached: ({ texts, parts }) => parts.length === 1 && parts.every(Boolean) && texts.length > 0,
    },
  ])(
    'during an insert, while $moment, leaves the table as it was, and nothing else',
    async ({ contentType, isReached }) => {
      const crashing = await serve();
      const begin = contentType === NDJSON ? severalPieces() : 'n\n3\n';
      const cut = expect(insert(crashing, unended(begin), contentType)).rejects.toThrow();
      await until(async () => isReached(await findStaged()));
      await crashing.stop('SIGKILL');
      await cut;
      await untilNobodyWorksIn(dataDir);
      const restarted = await serve();
      expect(await rowsOf(restarted)).toBe('n\n1\n2\n');
      expect(inCatalog('SELECT version FROM tables')).toEqual([{ version: 1 }]);
      await expectNoRemains();
      expect((await insert(restarted, 'n\n3\n')).status).toBe(200);
      expect(await rowsOf(restarted)).toBe('n\n1\n2\n3\n');
    },
  );

  it.each([
    { point: 'part-stored', outcome: 'none', version: 1, parts: 1, rowCount: 2 },
    { point: 'table-committed', outcome: 'all', version: 2, parts: 3, rowCount: 2 + MEGABYTES },
  ])(
    'at $point of an insert of several parts leaves $outcome of its rows, and nothing else',
    async ({ point, version, parts, rowCount }) => {
      const crashing = await serve({ TEST_FAILPOINT: `${point}=crash` });
      await expect(insert(crashing, severalPieces(), NDJSON)).rejects.toThrow();
      expect(await crashing.exited).toMatchObject({ signal: 'SIGKILL' });
      await untilNobodyWorksIn(dataDir);
      const restarted = await serve();
      const rows = Array.from({ length: rowCount }, (_, index) => `${index + 1}\n`).join('');
      expect(await rowsOf(restarted)).toBe(`n\n${rows}`);
      expect(inCatalog('SELECT version FROM tables')).toEqual([{ version }]);
      expect(countParts()).toBe(parts);
      await expectNoRemains();
      expect((await insert(restarted, 'n\n0\n')).status).toBe(200);
      expect(await rowsOf(restarted)).toBe(`n\n${rows}0\n`);
    },
  );

  it.each(['parts-merged', 'merge-stored', 'merge-committed'])(
    'at %s of a merge leaves every row once, and nothing else',
    async (point) => {
      const insertRow = (server: Program, row: number) => insert(server, `n\n${row}\n`);
      const crashing = await serve({ TEST_FAILPOINT: `${point}=crash` });
      for (let row = 3; row < 17; row++) expect((await insertRow(crashing, row)).status).toBe(200);
      // The sixteenth part is what makes them worth a merge.
      await Promise.allSettled([insertRow(crashing, 17)]);
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
      expect((await insertRow(restarted, rows.length + 1)).status).toBe(200);
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
    const crashing = Program.run(['sweep'], { DATA_DIR: dataDir, TEST_FAILPOINT: 'part-deleted=crash' });
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
