import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { Agent, get, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { LoopDelay } from './loop-delay.js';

const KEY = 'bench-key-0123456789';

/** Ten million rows of eight columns of mixed types. */
export const MIXED_ROWS = 10_000_000;

/** The query whose result most benches read. */
export function mixedQuery(rows = MIXED_ROWS): string {
  return `SELECT i AS id, (i % 1000)::INTEGER AS small, sqrt(i) AS root, (i / 7)::DECIMAL(12, 2) AS amount,
    'name ' || (i % 5000) AS name, md5(i::VARCHAR) AS hash, TIMESTAMP '2024-01-01' + INTERVAL (i) SECOND AS seen_at, i % 2 = 0 AS even
    FROM range(${rows}) t(i)`;
}

/** How an HTTP answer came. */
export interface Answer {
  readonly firstByteMs: number;
  readonly elapsedMs: number;
  readonly sizeBytes: number;
  readonly text: string;
}

/** The built program as a process of its own, with a data folder of its own. */
export class BenchServer {
  private readonly agent = new Agent({ keepAlive: true });

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    readonly dataDir: string,
    readonly startMs: number,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<BenchServer> {
    const dataDir = await mkdtemp(join(tmpdir(), 'eider-bench-'));
    const begunAt = performance.now();
    const environment = {
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      BOOTSTRAP_API_KEY: KEY,
      SAMPLE_DATA: 'false',
    };
    const child = spawn(process.execPath, ['--import', './dist/bench/loop-delay.js', 'dist/main.js', 'serve'], {
      env: { PATH: process.env.PATH, ...environment, ...settings },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    for await (const line of createInterface({ input: child.stdout as Readable })) {
      const url = /listens on (\S+)/.exec(line)?.[1];
      if (!url) continue;
      const server = new BenchServer(child, url, dataDir, 0);
      await server.get('/queries');
      return new BenchServer(child, url, dataDir, performance.now() - begunAt);
    }
    throw new Error('The server did not start');
  }

  async stop(): Promise<void> {
    this.agent.destroy();
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Reads a path below `/api/v1`; the text is kept only if it is asked for. */
  get(path: string, { isTextKept = false } = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const begunAt = performance.now();
      get(`${this.url}/api/v1${path}`, { agent: this.agent, headers: { 'x-service-api-key': KEY } }, (response) => {
        let firstByteMs = 0;
        let sizeBytes = 0;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => {
          if (sizeBytes === 0) firstByteMs = performance.now() - begunAt;
          sizeBytes += chunk.length;
          if (isTextKept || response.statusCode !== 200) chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode !== 200) reject(new Error(text));
          else resolve({ firstByteMs, elapsedMs: performance.now() - begunAt, sizeBytes, text });
        });
      }).on('error', reject);
    });
  }

  /** Sends a body to a path below `/api/v1` and gives the parsed reply. */
  post<Body>(path: string, body: string | NodeJS.ReadableStream, contentType = 'application/json'): Promise<Body> {
    return new Promise((resolve, reject) => {
      const headers = { 'x-service-api-key': KEY, 'content-type': contentType };
      const sent = request(
        `${this.url}/api/v1${path}`,
        { method: 'POST', agent: this.agent, headers },
        async (response) => {
          let text = '';
          for await (const chunk of response) text += chunk;
          if (response.statusCode === 200) resolve(JSON.parse(text) as Body);
          else reject(new Error(text));
        },
      ).on('error', reject);
      if (typeof body === 'string') sent.end(body);
      else body.pipe(sent);
    });
  }

  /**
   * Runs SQL until its execution has completed; asks for the status every `pollMs`, but not before `quietMs`: each time costs some 0.9 ms of
   * processor time, here and in the server, that the run is in want of.
   */
  async run(sql: string, pollMs = 4, quietMs = 0): Promise<{ executionId: string; elapsedMs: number }> {
    const begunAt = performance.now();
    const { execution_id: executionId } = await this.post<{ execution_id: string }>(
      '/sql/execute',
      JSON.stringify({ sql }),
    );
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    for (;;) {
      const { text } = await this.get(`/execution/${executionId}/status`, { isTextKept: true });
      const { state } = JSON.parse(text) as { state: string };
      if (state === 'QUERY_STATE_COMPLETED') return { executionId, elapsedMs: performance.now() - begunAt };
      if (!/PENDING|EXECUTING/.test(state)) throw new Error(text);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
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

/** Times two ways in turn, so that a noisy machine is noisy for both, and prints medians and their ratio. */
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
