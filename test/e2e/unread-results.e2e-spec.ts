import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

/** 40 MB: more than the systems of both sides buffer. */
const ROWS = 40_000;
/** Reads of one account that are served at the same time: of whole results, and of pages. */
const SHARE = 6;
const PAGES_SHARE = 4;
const ATTEMPTS = 12;

describe('results that their readers do not read', () => {
  let server: TestServer;
  /** Several keys of one account. */
  const attackers: string[] = [];
  let attacked: string;
  let victim: string;
  let row: string;
  let queryId: number;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    server = await TestServer.start({
      READ_IDLE_TIMEOUT: '1h',
      READ_QUEUE_TIMEOUT: '1500ms',
      MAX_PAGE_ROWS: String(ROWS),
    });
    for (const _ of [1, 2, 3]) attackers.push(await server.givenKey('eve', { plan: 'free', scope: 'read_write' }));
    victim = await server.givenKey('bob', { plan: 'free' });
    queryId = await server.givenQuery(`SELECT range AS n, repeat('x', 1000) AS text FROM range(${ROWS})`);
    attacked = await server.givenExecution(queryId, {}, attackers[0]);
    row = await server.givenResult('SELECT 42 AS answer', victim);
  });
  afterAll(() => stopWithoutLeaks(server));

  /**
   * Sends a request over a socket of its own and reads nothing of the answer beyond its first
   * bytes.
   */
  async function open(path: string, key: string): Promise<{ socket: Socket; first: string }> {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    sockets.add(socket.on('error', () => {}));
    socket.write(`GET /api/v1${path} HTTP/1.1\r\nHost: ${hostname}\r\nX-SERVICE-API-KEY: ${key}\r\n\r\n`);
    await once(socket, 'readable');
    const first = String(socket.read(12));
    return { socket, first };
  }

  /** Ends connections and waits until the service has noticed. */
  async function closeAll(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await until(async () => {
      const { status } = await server.get(`/execution/${attacked}/results/csv`, { filters: 'n < 0' }, attackers[0]);
      return status === 200;
    });
  }

  it.each([
    ['downloads', 'results/csv', SHARE],
    ['pages', 'results/csv?limit=26000', PAGES_SHARE],
    ['pages of JSON', 'results?limit=26000', PAGES_SHARE],
  ])('leave room for those of another account: %s', async (_, call, share) => {
    const attack = Array.from({ length: ATTEMPTS }, (__, index) =>
      open(`/execution/${attacked}/${call}`, attackers[index % 3] ?? ''),
    );
    const read = await Promise.all([
      server.get(`/execution/${row}/results`, {}, victim),
      server.get(`/execution/${row}/results/csv`, {}, victim),
      server.get(`/execution/${row}/results/csv`, { limit: 1 }, victim),
    ]);
    expect(read.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(read[0].body.result.rows).toEqual([{ answer: 42 }]);
    const statuses = (await Promise.all(attack)).map(({ first }) => first.split(' ')[1]);
    expect(statuses.filter((status) => status === '200')).toHaveLength(share);
    expect(statuses.filter((status) => status === '503')).toHaveLength(ATTEMPTS - share);
    const again = await server.get(`/execution/${row}/results`, {}, victim);
    expect(again.body.result.rows).toEqual([{ answer: 42 }]);
    await closeAll();
  });

  it('end in a 503 for the account that does not read them, with the time to try again after', async () => {
    await Promise.all(
      Array.from({ length: SHARE }, () => open(`/execution/${attacked}/results/csv`, attackers[0] ?? '')),
    );
    const { status, headers, body } = await server.get(`/query/${queryId}/results/csv`, {}, attackers[1]);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('2');
    expect(body).toEqual({
      error:
        'All readers that this account may use are busy: finish or close other downloads, or try again in a few seconds',
      code: 'readers_busy',
    });
    await closeAll();
  });
});
