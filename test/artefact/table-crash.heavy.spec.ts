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

/** Crashes at failpoints are cases of `npm run faults`. */
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
});
