import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
// @ts-expect-error a script without types
import { V8_FLAGS } from '../scripts/v8-flags.mjs';
import { BenchClient } from './client.js';
import type { LoopDelay } from './loop-delay.js';

const KEY = 'bench-key-0123456789';

/** The command line of the built program. */
export const PLAIN: readonly string[] = [process.execPath, ...V8_FLAGS, 'dist/main.js'];

/** Ten million rows of eight columns of mixed types. */
export const MIXED_ROWS = 10_000_000;

/** The query whose result most benches read. */
export function mixedQuery(rows = MIXED_ROWS): string {
  return `SELECT i AS id, (i % 1000)::INTEGER AS small, sqrt(i) AS root, (i / 7)::DECIMAL(12, 2) AS amount,
    'name ' || (i % 5000) AS name, md5(i::VARCHAR) AS hash, TIMESTAMP '2024-01-01' + INTERVAL (i) SECOND AS seen_at, i % 2 = 0 AS even
    FROM range(${rows}) t(i)`;
}

/** The built program as a process of its own, with a data folder of its own. */
export class BenchServer extends BenchClient {
  private constructor(
    private readonly child: ChildProcess,
    url: string,
    readonly dataDir: string,
    readonly startMs: number,
  ) {
    super(url, KEY);
  }

  /**
   * @param program the command line before `serve`. Only the default one reports its loop
   * delay.
   */
  static async start(
    settings: Record<string, string> = {},
    [program = '', ...words]: readonly string[] = [...PLAIN.toSpliced(-1, 0, '--import', './dist/bench/loop-delay.js')],
  ): Promise<BenchServer> {
    const dataDir = await mkdtemp(join(tmpdir(), 'eider-bench-'));
    const begunAt = performance.now();
    const environment = {
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      BOOTSTRAP_API_KEY: KEY,
      SAMPLE_DATA: 'false',
    };
    const child = spawn(program, [...words, 'serve'], {
      env: { PATH: process.env.PATH, ...environment, ...settings },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const url = await untilListening(child);
    const server = new BenchServer(child, url, dataDir, 0);
    await server.get('/queries');
    server.close();
    return new BenchServer(child, url, dataDir, performance.now() - begunAt);
  }

  async stop(): Promise<void> {
    this.close();
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Adds an account, and gives a key of it. */
  async addAccount(handle: string, plan: string): Promise<string> {
    await this.command('account', 'add', handle, '--plan', plan);
    return (JSON.parse(await this.command('key', 'create', handle, '--json')) as { key: string }).key;
  }

  /** Runs a command of the program beside the server, and gives what it prints. */
  private async command(...words: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, DATA_DIR: this.dataDir, LOG_LEVEL: 'silent' };
    return (await promisify(execFile)(process.execPath, ['dist/main.js', ...words], { env })).stdout;
  }

  /** Where the result of an execution lies. */
  async resultPath(executionId: string): Promise<string> {
    const results = join(this.dataDir, 'results');
    const file = (await readdir(results, { recursive: true })).find((path) => path.includes(executionId));
    if (!file) throw new Error('The result has no file');
    return join(results, file);
  }

  /** Resident memory of the server process. */
  async residentBytes(): Promise<number> {
    return residentBytes(this.child.pid ?? 0);
  }

  /** What its event loop has been like since this was last asked. */
  async loopDelay(): Promise<LoopDelay> {
    const answered = once(this.child, 'message');
    this.child.send({});
    const [delay] = (await answered) as [LoopDelay];
    return delay;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }
}

/** Waits until a server that logs to a pipe listens. @returns where. */
export async function untilListening({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout as Readable })) {
    const url = /listens on (\S+)/.exec(line)?.[1];
    if (!url) continue;
    // A log that is not read would stop the server once the pipe is full.
    stdout?.resume();
    return url;
  }
  throw new Error('The server did not start');
}

/** Resident memory of a process. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/** DuckDB with its defaults in this process: what the service is compared with. */
export async function openBare(): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:');
  return instance.connect();
}

/** Times a call in milliseconds. */
export async function timed(call: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  await call();
  return performance.now() - begunAt;
}

/** The middle one of some figures. */
export function median(figures: readonly number[]): number {
  return [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? Number.NaN;
}

/**
 * Times two ways in turn, so that a noisy machine is noisy for both, and prints medians and their
 * ratio.
 */
export async function compare(
  name: string,
  must: number,
  { ours, bare, runs = 9 }: { ours: () => Promise<number>; bare: () => Promise<number>; runs?: number },
): Promise<void> {
  await ours();
  await bare();
  const figures = { ours: [] as number[], bare: [] as number[] };
  for (let run = 0; run < runs; run += 1) {
    figures.bare.push(await bare());
    figures.ours.push(await ours());
  }
  const [mine, theirs] = [median(figures.ours), median(figures.bare)];
  report(
    name,
    `${(mine / theirs).toFixed(2)} x`,
    `at most ${must} x`,
    `${mine.toFixed(1)} ms against ${theirs.toFixed(1)} ms`,
  );
}

/** Prints a line of the table. */
export function report(name: string, figure: string, must: string, detail = ''): void {
  console.log(`| ${name} | ${figure} | ${must} | ${detail} |`);
}
