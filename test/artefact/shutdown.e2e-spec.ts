import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { inCatalogOf } from '../support/in-catalog.js';
import { Program, processesIn, untilNobodyWorksIn } from '../support/program.js';
import { beginRaw, type RawAnswer, sendRaw } from '../support/raw-request.js';
import { until } from '../support/until.js';

const ROWS = 1_000_000;
/**
 * Header line, and per row 32 characters and a newline: more than the buffers between the service
 * and a client hold.
 */
const CSV_BYTES = 'text\n'.length + ROWS * 33;
/** Runs for a second or more. */
const LONG = 'SELECT sum(sqrt(range)) AS n FROM range(200000000)';

describe('a shutdown', () => {
  let dataDir: string;
  let program: Program | undefined;
  let first: Program;
  let resultId: string;

  const serve = async (settings: Record<string, string> = {}): Promise<Program> => {
    program = await Program.serve({ DATA_DIR: dataDir, ...settings });
    return program;
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'eider-shutdown-'));
    first = await serve({ SHUTDOWN_GRACE: '40s' });
    resultId = await first.execute(`SELECT md5(range::VARCHAR) AS text FROM range(${ROWS})`);
    await first.untilEnded(resultId);
  });
  afterEach(async () => {
    await program?.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  /** Expects exit code 0, and that no process, no word of a server and no temporary file stays. */
  async function expectCleanExit(exit: Program['exited']): Promise<void> {
    const { code, signal, output } = await exit;
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(output).not.toMatch(/error/i);
    expect(processesIn(dataDir)).toEqual([]);
    for (const folder of ['runs', 'readers']) {
      expect(await readdir(join(dataDir, folder)).catch(() => [])).toEqual([]);
    }
    expect(existsSync(join(dataDir, 'server.json'))).toBe(false);
  }

  async function countRest(stream: AsyncIterator<Uint8Array>): Promise<number> {
    let bytes = 0;
    for (let chunk = await stream.next(); !chunk.done; chunk = await stream.next()) bytes += chunk.value.length;
    return bytes;
  }

  /** Asks on a connection of its own. */
  const ask = (url: string, path: string) => sendRaw(url, [`GET ${path} HTTP/1.1`]);

  /** Waits until the service has begun to stop, and gives its answer about whether it is ready. */
  async function untilDraining({ url }: Program): Promise<RawAnswer> {
    let ready = await ask(url, '/health/ready');
    await until(async () => {
      ready = await ask(url, '/health/ready');
      return ready.status !== 200;
    });
    return ready;
  }

  it('lets a download in flight finish, and answers only questions about its health meanwhile', async () => {
    const stopping = first;
    const stream = await stopping.openCsv(resultId);
    const bytes = (await stream.next()).value.length;
    const children = processesIn(dataDir);
    const finish = await beginRaw(stopping.url, ['GET /api/v1/queries HTTP/1.1', 'Host: a']);
    const exit = stopping.stop('SIGTERM');
    // As a supervisor does that signals all processes of a service.
    for (const child of children) process.kill(child, 'SIGTERM');
    expect(await untilDraining(stopping)).toMatchObject({
      status: 503,
      head: expect.stringMatching(/^retry-after: 5$/im),
      text: '{"error":"The service is not ready: it is stopping","code":"not_ready","causes":["draining"]}',
    });
    expect((await ask(stopping.url, '/health/live')).status).toBe(200);
    expect(await Program.run(['health'], { DATA_DIR: dataDir }).exited).toMatchObject({
      code: 1,
      output: 'The service is not ready: it is stopping\n',
    });
    for (const answer of [await finish(), await ask(stopping.url, '/api/v1/queries'), await ask(stopping.url, '/')]) {
      expect(answer.status).toBe(503);
      expect(answer.head).toMatch(/^content-type: application\/json/im);
      expect(answer.head).toMatch(/^retry-after: 5$/im);
      expect(JSON.parse(answer.text)).toEqual({
        error: 'The service is stopping and accepts no new requests: try again in a few seconds',
        code: 'stopping',
      });
    }
    const rejected = await stopping.fetch('/queries');
    expect([rejected.status, rejected.headers.get('connection')]).toEqual([503, 'close']);
    expect(bytes + (await countRest(stream))).toBe(CSV_BYTES);
    await expectCleanExit(exit);
  });

  it('cuts a download whose client takes nothing for SHUTDOWN_GRACE', async () => {
    const stopping = await serve();
    const stream = await stopping.openCsv(resultId);
    await stream.next();
    await expectCleanExit(stopping.stop('SIGTERM'));
    await expect(countRest(stream)).rejects.toThrow('terminated');
  });

  it('gives a running execution back, which completes after the next start, whatever MAX_ATTEMPTS', async () => {
    const stopping = await serve({ MAX_ATTEMPTS: '1' });
    const running = await stopping.execute(LONG);
    const waiting = await stopping.execute('SELECT 1 AS n');
    await stopping.untilStatus(running, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    await expectCleanExit(stopping.stop('SIGTERM'));
    const restarted = await serve({ MAX_ATTEMPTS: '1' });
    for (const id of [running, waiting]) {
      expect(await restarted.untilEnded(id)).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
    }
  });

  it('lets a running execution finish within SHUTDOWN_GRACE', async () => {
    const stopping = await serve({ SHUTDOWN_GRACE: '40s' });
    const running = await stopping.execute(LONG);
    await stopping.untilStatus(running, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    const exit = stopping.stop('SIGTERM');
    expect((await untilDraining(stopping)).status).toBe(503);
    await expectCleanExit(exit);
    const [execution] = inCatalogOf(dataDir, `SELECT state FROM executions WHERE id = '${running}'`);
    expect(execution).toEqual({ state: 'COMPLETED' });
  });

  it('is logged in one line, as the start is, with what was in flight', async () => {
    const stopping = await serve({ LOG_LEVEL: 'info' });
    const { url } = stopping;
    const running = await stopping.execute(LONG);
    await stopping.untilStatus(running, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    const stream = await stopping.openCsv(resultId);
    await stream.next();
    const { output } = await stopping.stop('SIGTERM');
    await expect(countRest(stream)).rejects.toThrow('terminated');
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ level, message }) => level === 30 && message !== 'request');
    const time = expect.any(String);
    const [sizes, message] = [{ workers: 1, readers: 1, uploaders: 1 }, expect.stringContaining(`listens on ${url} `)];
    const started = { version: expect.any(String), url, memory_budget_bytes: expect.any(Number) };
    const stopped = {
      signal: 'SIGTERM',
      requests_in_flight: 1,
      executions_in_flight: 1,
      elapsed_ms: expect.any(Number),
    };
    expect(lines).toEqual([
      { level: 30, time, ...started, ...sizes, message },
      { level: 30, time, ...stopped, message: 'Eider has stopped on SIGTERM' },
    ]);
  });

  it('that is asked for during the start comes after it', async () => {
    await rm(join(dataDir, 'readers'), { recursive: true, force: true });
    program = Program.run(['serve'], { DATA_DIR: dataDir });
    await until(() => existsSync(join(dataDir, 'readers')));
    await expectCleanExit(program.stop('SIGTERM'));
  });
});

describe('a start that cannot succeed', () => {
  let dataDir: string;
  let first: Program;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'eider-start-'));
    first = await Program.serve({ DATA_DIR: join(dataDir, 'first') });
  });
  afterAll(async () => {
    await first.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    await rm(dataDir, { recursive: true });
  });

  it('says that another server has the data folder', async () => {
    const second = Program.run(['serve'], { DATA_DIR: join(dataDir, 'first') });
    expect(await second.exited).toEqual({
      code: 1,
      signal: null,
      output:
        'Another server is using this data folder (DATA_DIR): stop it first, or give this one a folder of its own\n',
    });
    expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
  });

  it.each([
    { host: '127.0.0.1', sentence: /^Port \d+ of 127\.0\.0\.1 is in use: .* or set METRICS_PORT to another port\n$/ },
    { host: '192.0.2.1', sentence: /^192\.0\.2\.1 is not an address of this machine: set METRICS_HOST to one, .*\n$/ },
  ])('says that metrics cannot be served on a port in use of $host', async ({ host, sentence }) => {
    const METRICS_PORT = new URL(first.url).port;
    const other = Program.run(['serve'], { DATA_DIR: join(dataDir, 'metrics'), METRICS_PORT, METRICS_HOST: host });
    expect(await other.exited).toEqual({ code: 1, signal: null, output: expect.stringMatching(sentence) });
    expect(processesIn(join(dataDir, 'metrics'))).toEqual([]);
  });

  it('ends with what it had started, if the port is taken, and leaves the first key to the next', async () => {
    const settings = { DATA_DIR: join(dataDir, 'second'), BOOTSTRAP_API_KEY: '' };
    const second = Program.run(['serve'], { ...settings, PORT: new URL(first.url).port });
    const { code, output } = await second.exited;
    expect(code).toBe(1);
    expect(output).toMatch(
      /^Port \d+ of 127\.0\.0\.1 is in use: stop the program that listens there, or set PORT .*\n$/,
    );
    expect(processesIn(join(dataDir, 'second'))).toEqual([]);
    const third = await Program.serve(settings);
    expect(third.output).toContain('The account demo was created. Its API key is in the file first-key in DATA_DIR');
    await third.stop('SIGTERM');
  });
});
