import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { untilChildrenWait } from './executions.js';
import { type BenchServer, compare, median, mixedQuery, openBare, report, timed } from './support.js';

/** Bytes of the JSON body of the large upload, about. */
const UPLOAD_BYTES = 190e6;
/** Bytes of the NDJSON body of the large insert, about. */
const INSERT_BYTES = 1e9;
/**
 * After so long without work the JavaScript engine of the server has shrunk its heap, as it has
 * before most large inserts.
 */
const REST_MS = 12_000;
const MANY_TABLES = 10_000;
const ONE_ROW_INSERTS = 1_000;

/** An upload against bare DuckDB reading the same file. */
export async function benchUpload(server: BenchServer): Promise<void> {
  const bare = await openBare();
  const csv = join(server.dataDir, 'upload.csv');
  const body = join(server.dataDir, 'upload.json');
  await bare.run(`COPY (${mixedQuery(1_750_000)}) TO '${csv}' (FORMAT csv)`);
  await writeFile(body, `{"table_name":"big","data":${JSON.stringify(await readFile(csv, 'utf8'))}}`);
  const megabytes = Math.round((await stat(body)).size / 1e6);
  if (Math.abs(megabytes * 1e6 - UPLOAD_BYTES) > 10e6) throw new Error(`The body has ${megabytes} MB`);
  const watch = await Watch.start(server);
  await compare(`upload of a ${megabytes} MB body`, 1.6, {
    ours: () => watch.during(() => timed(() => server.post('/table/upload/csv', bodyOf(body)))),
    bare: () =>
      timed(() => bare.run(`COPY (FROM read_csv('${csv}', sample_size = -1)) TO '${csv}.parquet' (FORMAT parquet)`)),
    runs: 7,
  });
  watch.report('it');
  for (const file of [csv, body, `${csv}.parquet`]) await rm(file);
}

/**
 * A large insert, and a run over the table that it makes, against bare DuckDB on the same files.
 */
export async function benchInsertAndRun(server: BenchServer): Promise<void> {
  await benchRun(server, await benchInsert(server));
}

/** @returns when the last insert began. */
async function benchInsert(server: BenchServer): Promise<number> {
  const bare = await openBare();
  const part = join(server.dataDir, 'part.ndjson');
  const ndjson = join(server.dataDir, 'insert.ndjson');
  await bare.run(`COPY (${mixedQuery(1_000_000)}) TO '${part}' (FORMAT json)`);
  const partBytes = (await stat(part)).size;
  const copies = Math.round(INSERT_BYTES / partBytes);
  for (let copy = 0; copy < copies; copy += 1) {
    await pipeline(createReadStream(part), createWriteStream(ndjson, { flags: 'a' }));
  }
  const schema = [
    ['id', 'bigint'],
    ['small', 'integer'],
    ['root', 'double'],
    ['amount', 'double'],
    ['name', 'varchar'],
    ['hash', 'varchar'],
    ['seen_at', 'timestamp'],
    ['even', 'boolean'],
  ].map(([name = '', type = '']) => ({ name, type, nullable: true }));
  await server.post('/table/create', JSON.stringify({ table_name: 'rows', schema }));
  const columns = schema.map(({ name, type }) => `${name}: '${type.toUpperCase()}'`).join(', ');
  let begunAt = 0;
  const ours = () => {
    begunAt = Date.now();
    return timed(() => server.post('/table/demo/rows/insert', bodyOf(ndjson), 'application/x-ndjson'));
  };
  const clear = () => server.post('/table/demo/rows/clear', '');
  await setTimeout(REST_MS);
  const watch = await Watch.start(server);
  for (const [what, options] of [
    ['finding the columns itself', ''],
    ['told the columns', `, columns = {${columns}}`],
  ] as const) {
    await compare(`insert of ${((copies * partBytes) / 1e9).toFixed(2)} GB NDJSON, bare DuckDB ${what}`, 2, {
      ours: async () => {
        await clear();
        return watch.during(ours);
      },
      bare: () =>
        timed(() =>
          bare.run(
            `COPY (FROM read_json('${ndjson}', format = 'newline_delimited'${options})) TO '${part}.parquet' (FORMAT parquet)`,
          ),
        ),
      runs: 7,
    });
  }
  watch.report('them');
  for (const file of [part, ndjson, `${part}.parquet`]) await rm(file);
  return begunAt;
}

/** A file to be sent, read in large chunks, so that the client is not what is measured. */
function bodyOf(file: string): ReadStream {
  return createReadStream(file, { highWaterMark: 2 ** 20 });
}

/** A large scan with a small result, less the fixed cost of a run. */
async function benchRun(server: BenchServer, insertedAt: number): Promise<void> {
  const bare = await openBare();
  const parts = await partsSince(server, insertedAt);
  const copy = join(server.dataDir, 'copy.parquet');
  const statement = (table: string) =>
    `SELECT name, count(*) AS n, sum(amount) AS amount, max(hash) AS hash FROM ${table} GROUP BY name ORDER BY name`;
  const fixedMs = await fixedCostOf(server);
  // To ask for the state costs a tenth of the processor time that the run has: not before its end
  // is near. Of several runs, as what a slow one took would be waited for in every run that is
  // measured.
  const quietMs = 0.8 * Math.min(...(await repeated(3, () => settledRun(server, statement('rows')))));
  await compare('run over an uploaded table, less the fixed cost of a run', 1.1, {
    ours: async () => (await settledRun(server, statement('rows'), quietMs)) - fixedMs,
    bare: () => timed(() => bare.run(`COPY (${statement(`read_parquet([${parts}])`)}) TO '${copy}' (FORMAT parquet)`)),
    runs: 15,
  });
  await rm(copy);
}

/** A table of many small inserts against one of a single insert. */
export async function benchSmallInserts(server: BenchServer): Promise<void> {
  const schema = [
    { name: 'id', type: 'bigint', nullable: true },
    { name: 'text', type: 'varchar', nullable: true },
  ];
  for (const table of ['drops', 'pour'])
    await server.post('/table/create', JSON.stringify({ table_name: table, schema }));
  const rows = Array.from({ length: ONE_ROW_INSERTS }, (_, id) => `${id},row ${id}\n`);
  const insert = (table: string, csv: string) =>
    server.post(`/table/demo/${table}/insert`, `id,text\n${csv}`, 'text/csv');
  const elapsed = await timed(async () => {
    for (const row of rows) await insert('drops', row);
  });
  await insert('pour', rows.join(''));
  report(`${ONE_ROW_INSERTS} one-row inserts, each after the other`, `${(elapsed / 1000).toFixed(1)} s`, 'printed');
  const read = (table: string) => settledRun(server, `SELECT count(*), sum(id), max(text) FROM ${table}`);
  await compare('run over them against one over a single insert', 1.5, {
    ours: () => read('drops'),
    bare: () => read('pour'),
    runs: 15,
  });
}

/** What a run costs when its account may see many tables. */
export async function benchManyTables(server: BenchServer): Promise<void> {
  const before = await fixedCostOf(server);
  for (let table = 0; table < MANY_TABLES; table += 1) {
    const schema = [{ name: 'id', type: 'bigint', nullable: true }];
    await server.post('/table/create', JSON.stringify({ table_name: `many_${table}`, schema }));
  }
  const after = await fixedCostOf(server);
  report(
    `fixed cost of a run with ${MANY_TABLES} more tables`,
    `${Math.round(after - before)} ms`,
    'under 20 ms more',
    `${after.toFixed(0)} ms against ${before.toFixed(0)} ms`,
  );
}

/** Median time of a run over a table of one row. */
async function fixedCostOf(server: BenchServer): Promise<number> {
  await server.post('/table/upload/csv', JSON.stringify({ table_name: 'one', data: 'id\n1\n' }));
  return median(await repeated(15, () => settledRun(server, 'SELECT id FROM one')));
}

/** The figures of several runs, one after the other. */
async function repeated(times: number, run: () => Promise<number>): Promise<number[]> {
  const figures: number[] = [];
  while (figures.length < times) figures.push(await run());
  return figures;
}

/** Time of a run for which a child waits, and which takes at least `quietMs`. */
async function settledRun(server: BenchServer, sql: string, quietMs = 0): Promise<number> {
  await untilChildrenWait(server);
  return (await server.run(sql, 4, quietMs)).elapsedMs;
}

/** The files that came into the folder of tables since then, in quotes. */
async function partsSince(server: BenchServer, since: number): Promise<string> {
  const folder = join(server.dataDir, 'tables');
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.parquet'));
  const dated = await Promise.all(
    files.map(async (path) => ({ path: join(folder, path), at: (await stat(join(folder, path))).mtimeMs })),
  );
  const found = dated.filter(({ at }) => at >= since).map(({ path }) => `'${path}'`);
  if (found.length === 0) throw new Error('There is no part');
  return found.join(', ');
}

/**
 * What a large body does to the server process meanwhile: its memory, and the delays of its event
 * loop.
 */
class Watch {
  private peakBytes = 0;
  private longestDelayMs = 0;
  private busiestMs = 0;

  private constructor(
    private readonly server: BenchServer,
    private readonly idleBytes: number,
  ) {}

  static async start(server: BenchServer): Promise<Watch> {
    return new Watch(server, await server.residentBytes());
  }

  /**
   * Watches a call; what bare DuckDB does before and after it with the processors and the disk does
   * not count.
   */
  async during<T>(call: () => Promise<T>): Promise<T> {
    await this.server.loopDelay();
    const timer = setInterval(() => void this.sample(), 20);
    try {
      return await call();
    } finally {
      clearInterval(timer);
      const { longestMs, busiestMs } = await this.server.loopDelay();
      this.longestDelayMs = Math.max(this.longestDelayMs, longestMs);
      this.busiestMs = Math.max(this.busiestMs, busiestMs);
    }
  }

  report(what: string): void {
    const grown = ((this.peakBytes - this.idleBytes) / 1e6).toFixed(0);
    report(`memory growth of the server during ${what}`, `${grown} MB`, 'under 100 MB', 'resident memory');
    const work = `its thread worked ${this.busiestMs.toFixed(0)} ms of it at most: it waited for a processor, too`;
    report(
      `longest delay of its event loop during ${what}`,
      `${this.longestDelayMs.toFixed(0)} ms`,
      'under 60 ms',
      work,
    );
  }

  private async sample(): Promise<void> {
    this.peakBytes = Math.max(this.peakBytes, await this.server.residentBytes());
  }
}
