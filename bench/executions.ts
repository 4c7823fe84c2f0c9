import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type BenchServer, compare, median, mixedQuery, openBare, report, residentBytes, timed } from './support.js';

/**
 * Executions against bare `COPY … TO` Parquet. @returns an execution of ten million rows, for the
 * benches that read.
 */
export async function benchExecutions(server: BenchServer): Promise<string> {
  await benchStart(server);
  const small: number[] = [];
  for (let run = 0; run < 21; run += 1) {
    await untilChildrenWait(server);
    small.push((await server.run('SELECT 1')).elapsedMs);
  }
  report(
    'execute SELECT 1 until COMPLETED, child waiting',
    `${median(small).toFixed(0)} ms`,
    'under 50 ms on a quiet machine',
    'p50',
  );
  await benchOneCall(server);

  const bare = await openBare();
  const file = join(server.dataDir, 'bare.parquet');
  let executionId = '';
  await compare('execute a 10M-row query until COMPLETED', 1.15, {
    ours: async () => {
      await untilChildrenWait(server);
      const run = await server.run(mixedQuery(), 20);
      executionId = run.executionId;
      return run.elapsedMs;
    },
    bare: () => timed(() => bare.run(`COPY (${mixedQuery()}) TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 122880)`)),
    runs: 7,
  });
  return executionId;
}

/** Executions that are answered once they have ended: one client with pauses, then ten without. */
async function benchOneCall(server: BenchServer): Promise<void> {
  const body = JSON.stringify({ sql: 'SELECT 1' });
  const run = () => server.post('/sql/execute?wait_seconds=60', body);
  const figures: number[] = [];
  for (let count = 0; count < 100; count += 1) {
    figures.push(await timed(run));
    await setTimeout(20);
  }
  report('execute SELECT 1, answered once completed', `${median(figures).toFixed(0)} ms`, 'at most 12 ms', 'p50');
  const total = 600;
  let started = 0;
  const client = async () => {
    while (started++ < total) await run();
  };
  const elapsed = await timed(() => Promise.all(Array.from({ length: 10 }, client)));
  report('sustained rate of SELECT 1, 10 clients', `${((total / elapsed) * 1000).toFixed(0)} a second`, 'at least 60');
}

async function benchStart(server: BenchServer): Promise<void> {
  report('start to first request', `${(server.startMs / 1000).toFixed(2)} s`, 'under 2 s');
  await untilChildrenWait(server);
  report('idle memory of the server', `${((await server.residentBytes()) / 1e6).toFixed(0)} MB`, 'under 200 MB');
  for (const pid of await runChildren(server.pid)) {
    report('memory of a waiting run child', `${((await residentBytes(pid)) / 1e6).toFixed(0)} MB`, 'under 110 MB');
  }
}

/**
 * Waits until as many run children wait as there are workers: the figure is that of a service that
 * is not busy.
 */
export async function untilChildrenWait(server: BenchServer): Promise<void> {
  for (let quiet = 0; quiet < 10; ) {
    const before = await cpuTicks(server.pid);
    await setTimeout(50);
    quiet = (await cpuTicks(server.pid)) === before ? quiet + 1 : 0;
  }
}

async function cpuTicks(serverPid: number): Promise<number> {
  const pids = await runChildren(serverPid);
  const ticks = await Promise.all(
    pids.map(async (pid) => (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(' ').slice(13, 15)),
  );
  return ticks.flat().reduce((sum, tick) => sum + Number(tick), pids.length);
}

async function runChildren(serverPid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found: number[] = [];
  for (const pid of pids) {
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    if (stat?.split(' ')[3] === String(serverPid) && command?.includes('run.child')) found.push(pid);
  }
  return found;
}
