import { join } from 'node:path';
import { type BenchServer, compare, MIXED_ROWS, median, openBare, report, timed } from './support.js';

const COLUMNS = [
  'id',
  'small',
  'root',
  'amount',
  'name',
  'hash',
  `strftime(seen_at, '%Y-%m-%d %H:%M:%S.%g UTC') AS seen_at`,
  'even',
].join(', ');

/**
 * Pages and streams of a ten-million-row result against bare DuckDB writing the same rows as the
 * same text to a file.
 */
export async function benchReads(server: BenchServer, executionId: string): Promise<void> {
  const bare = await openBare();
  const source = `read_parquet('${await server.resultPath(executionId)}', file_row_number = true)`;
  const text = join(server.dataDir, 'bare.txt');
  const copy = (rows: string) =>
    timed(() => bare.run(`COPY (SELECT ${COLUMNS} FROM ${rows}) TO '${text}' (FORMAT json)`));
  const page = async (query: string) => (await server.get(`/execution/${executionId}/results?${query}`)).elapsedMs;

  const middle = MIXED_ROWS / 2;
  await compare('30,000-row page of 10M rows, HTTP included', 1.3, {
    ours: () => page(`limit=30000&offset=${middle}`),
    bare: () => copy(`${source} WHERE file_row_number >= ${middle} AND file_row_number < ${middle + 30_000}`),
    runs: 15,
  });
  await compare('last page against first page', 1.2, {
    ours: () => page(`limit=30000&offset=${MIXED_ROWS - 30_000}`),
    bare: () => page('limit=30000&offset=0'),
    runs: 15,
  });
  const filter = `small < 10 AND name IN ('name 3', 'name 2005')`;
  await compare('filtered page', 1.2, {
    ours: () => page(`limit=1000&offset=100&filters=${encodeURIComponent(filter)}`),
    bare: () => copy(`(SELECT * FROM ${source} WHERE ${filter} LIMIT 1001 OFFSET 100)`),
  });
  await compare('sorted page', 1.2, {
    ours: () => page('limit=1000&sort_by=hash+desc'),
    bare: () => copy(`(SELECT * FROM ${source} ORDER BY hash DESC, file_row_number LIMIT 1000)`),
  });
  await benchCsv(
    server,
    executionId,
    (rows) => timed(() => bare.run(`COPY (SELECT ${rows}) TO '${text}' (FORMAT csv)`)),
    source,
  );
}

async function benchCsv(
  server: BenchServer,
  executionId: string,
  copy: (rows: string) => Promise<number>,
  source: string,
): Promise<void> {
  const firstBytes: number[] = [];
  let peak = 0;
  const idle = await server.residentBytes();
  const timer = setInterval(() => void server.residentBytes().then((bytes) => (peak = Math.max(peak, bytes))), 20);
  await compare('whole 10M-row result as CSV', 1.3, {
    ours: async () => {
      const { elapsedMs, firstByteMs } = await server.get(`/execution/${executionId}/results/csv`);
      firstBytes.push(firstByteMs);
      return elapsedMs;
    },
    bare: () => copy(`id, small, root, amount, name, hash, seen_at, even FROM ${source}`),
    runs: 7,
  });
  clearInterval(timer);
  report('first byte of the CSV', `${median(firstBytes).toFixed(0)} ms`, 'under 200 ms');
  report(
    'server memory growth during it',
    `${((peak - idle) / 1e6).toFixed(0)} MB`,
    'under 64 MB of heap',
    'resident memory of the server process',
  );
}
