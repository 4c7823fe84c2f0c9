import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SweepService } from '../../src/sweep/sweep.service.js';
import { findChildren } from '../support/child-processes.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { SetClock } from '../support/set-clock.js';
import { until } from '../support/until.js';

/** 24 MB of CSV, which do not fit into what the systems of both sides buffer. */
const ROWS = 600_000;
/** More than one reading process reads at the same time. */
const MANY = 15;

describe('streams of whole results', () => {
  const clock = new SetClock(new Date());
  let server: TestServer;
  let id: string;

  beforeAll(async () => {
    server = await TestServer.start(
      { WORKERS: '1', RESULT_RETENTION_DAYS: '30', COMPRESS_DOWNLOADS: 'all' },
      { clock },
    );
    id = await server.givenResult(`SELECT range AS n, md5(range::VARCHAR) AS text FROM range(${ROWS})`);
  });
  afterAll(() => stopWithoutLeaks(server));

  /**
   * Length of the CSV text of the first rows: header line, digits of the number, comma, 32
   * characters, newline.
   */
  function textBytes(rows: number): number {
    const digits = Array.from({ length: 7 }, (_, index) => Math.max(0, rows - (index && 10 ** index)));
    return 'n,text\n'.length + digits.reduce((sum, count) => sum + count, 0) + rows * 34;
  }

  /** Asks for the CSV text of a result; a query string follows its id. */
  function fetchCsv(address: string, encoding = 'identity', signal?: AbortSignal): Promise<Response> {
    const [resultId, query] = address.split(/(?=\?)/);
    const headers = { 'x-service-api-key': server.key, 'accept-encoding': encoding };
    const uri = `${server.url}/api/v1/execution/${resultId}/results/csv${query ?? ''}`;
    return fetch(uri, { headers, ...(signal && { signal }) });
  }

  /** Begins to read the whole result. */
  async function open(query = '', signal?: AbortSignal): Promise<AsyncIterator<Uint8Array>> {
    const { body, status } = await fetchCsv(`${id}${query}`, 'identity', signal);
    if (!body) throw new Error(`The answer ${status} has no body`);
    return (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  }

  /** Reads the rest of a stream and returns its length. */
  async function countRest(stream: AsyncIterator<Uint8Array>): Promise<number> {
    let bytes = 0;
    for (let chunk = await stream.next(); !chunk.done; chunk = await stream.next()) bytes += chunk.value.length;
    return bytes;
  }

  it('arrive whole, and hold up no page while their reader pauses', async () => {
    const streams = await Promise.all([open(), open()]);
    const firsts = await Promise.all(streams.map(async (stream) => (await stream.next()).value.length));
    for (let offset = 0; offset < ROWS; offset += ROWS / 10) {
      const { body } = await server.get(`/execution/${id}/results`, { limit: 1, offset, columns: 'n' });
      expect(body.result.rows).toEqual([{ n: offset }]);
    }
    const rests = await Promise.all(streams.map(countRest));
    expect(rests.map((rest, index) => rest + firsts[index])).toEqual([textBytes(ROWS), textBytes(ROWS)]);
  });

  it('wait for their turn where there are more than the reader takes', async () => {
    const streams = await Promise.all(
      Array.from({ length: MANY }, () => open(`?columns=n&filters=n>=${ROWS - 1_000}`).then(countRest)),
    );
    expect(streams).toEqual(Array.from({ length: MANY }, () => 'n\n'.length + 1_000 * 7));
  });

  it('that their clients leave midway cost nothing afterwards', async () => {
    for (let round = 0; round < 10; round++) {
      const leaving = Array.from({ length: 5 }, async (_, index) => {
        const client = new AbortController();
        const opened = open(index % 2 === 0 ? '' : '?limit=30000', client.signal);
        // Some leave before the answer begins, some in the middle of it.
        if (index > 2) await (await opened).next();
        client.abort();
        await opened.catch(() => {});
      });
      await Promise.all(leaving);
    }
    const again = await Promise.all(
      Array.from({ length: MANY }, () => open('?columns=n&filters=n<10').then(countRest)),
    );
    expect(again).toEqual(Array.from({ length: MANY }, () => 'n\n'.length + 20));
    await untilNothingIsHeld();
  });

  it.each(['identity', 'gzip', 'br'])(
    'break off in a way that a client can tell, when the reading process dies, and the next read finds another: %s',
    async (encoding) => {
      const { body: text, headers } = await fetchCsv(id, encoding);
      expect(headers.get('content-encoding') ?? 'identity').toBe(encoding);
      const stream = (text as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
      await stream.next();
      const [pid, ...others] = findChildren('read.child.cjs');
      if (pid === undefined) throw new Error('There is no reading process');
      expect(others).toEqual([]);
      process.kill(pid, 'SIGKILL');
      await expect(countRest(stream)).rejects.toThrow('terminated');
      const { body } = await server.get(`/execution/${id}/results`, { limit: 1, columns: 'n' });
      expect(body.result.rows).toEqual([{ n: 0 }]);
    },
  );

  it('finish while a sweep deletes what they read', async () => {
    const rows = 400_000;
    const streams = await Promise.all(Array.from({ length: 6 }, () => open(`?filters=n<${rows}`)));
    const firsts = await Promise.all(streams.map(async (stream) => (await stream.next()).value.length));
    clock.advance({ seconds: 31 * 86_400 });
    expect((await server.app.get(SweepService).sweep({ isDryRun: false })).expired).toEqual([id]);
    expect((await server.get(`/execution/${id}/status`)).body.state).toBe('QUERY_STATE_EXPIRED');
    const rests = await Promise.all(streams.map(countRest));
    expect(rests.map((rest, index) => rest + firsts[index])).toEqual(Array.from({ length: 6 }, () => textBytes(rows)));
    await untilNothingIsHeld();
  });

  it('never hold a byte of another, whoever reads slowly, compressed or not to the end', async () => {
    const rows = 20_000;
    const letters = ['a', 'b', 'c', 'd'];
    const ids = await Promise.all(
      letters.map((letter) => server.givenResult(`SELECT repeat('${letter}', 100) AS line FROM range(${rows})`)),
    );
    const read = async (index: number, encoding: string, isSlow: boolean): Promise<string> => {
      const { body } = await fetchCsv(ids[index] ?? '', encoding);
      const chunks: Uint8Array[] = [];
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        chunks.push(chunk);
        for (let pause = 0; isSlow && pause < 20; pause++) await setImmediate();
      }
      return Buffer.concat(chunks).toString('latin1');
    };
    const leave = async (index: number): Promise<void> => {
      const client = new AbortController();
      const { body } = await fetchCsv(ids[index] ?? '', 'identity', client.signal);
      await (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]().next();
      client.abort();
    };
    for (let round = 0; round < 2; round++) {
      const texts = await Promise.all(
        letters.map(async (_, index) => {
          const reads = [read(index, 'identity', false), read(index, 'identity', true), read(index, 'gzip', false)];
          await leave(index);
          return Promise.all(reads);
        }),
      );
      for (const [index, letter] of letters.entries()) {
        const whole = `line\n${`${letter.repeat(100)}\n`.repeat(rows)}`;
        expect(texts[index]?.map((text) => text === whole)).toEqual([true, true, true]);
      }
    }
  });

  it.each(['hb_value', 'HK', 'x y', 'h$', '8 %'])(
    'are compressed also when their header, %s, looks compressed',
    async (name) => {
      const resultId = await server.givenResult(`SELECT repeat('a', 1000) AS "${name}" FROM range(500)`);
      for (const encoding of ['gzip', 'br']) {
        const answer = await fetchCsv(resultId, encoding);
        const [header, ...lines] = (await answer.text()).trimEnd().split('\n');
        expect([answer.headers.get('content-encoding'), header?.replaceAll('"', '')]).toEqual([encoding, name]);
        expect(new Set(lines)).toEqual(new Set(['a'.repeat(1000)]));
        expect(lines).toHaveLength(500);
      }
    },
  );

  /**
   * Waits until no reader keeps a file: the last of them releases it a moment after its client has
   * everything.
   */
  async function untilNothingIsHeld(): Promise<void> {
    const folder = join(server.dataDir, 'readers', 'pinned');
    await until(async () => (await readdir(folder)).length === 0);
  }
});
