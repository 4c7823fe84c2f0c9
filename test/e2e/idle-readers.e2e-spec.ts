import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';

/** About 11 MB of text: more than the systems of both sides buffer. */
const ROWS = 280_000;
/** A slow client takes so much at a time, which is less than a second of a slow network. */
const STEP_BYTES = 64 * 2 ** 10;
const STEP_MS = 50;
/** In all several times the timeout, most of it after all buffers are full. */
const SLOW_STEPS = 50;

describe('READ_IDLE_TIMEOUT', () => {
  let server: TestServer;
  let id: string;

  beforeAll(async () => {
    server = await TestServer.start({ READ_IDLE_TIMEOUT: '500ms', MAX_PAGE_ROWS: String(ROWS) });
    id = await server.givenResult(`SELECT range AS n, md5(range::VARCHAR) AS text FROM range(${ROWS})`);
  });
  afterAll(() => stopWithoutLeaks(server));

  /** Begins to read over a socket that takes bytes only on request. Gives both of its ends. */
  async function open(call: string, version: string, encoding: string): Promise<{ client: Socket; end: Socket }> {
    const { hostname, port } = new URL(server.url);
    const http = server.app.getHttpServer() as Server;
    const accepted = once(http, 'connection') as Promise<[Socket]>;
    const client = connect(Number(port), hostname);
    const lines = [`GET /api/v1/execution/${id}/${call} HTTP/${version}`, `Host: ${hostname}`, 'Connection: close'];
    client.write([...lines, `Accept-Encoding: ${encoding}`, `X-SERVICE-API-KEY: ${server.key}`, '', ''].join('\r\n'));
    const [end] = await accepted;
    await once(client, 'readable');
    return { client, end };
  }

  it.each([
    ['a whole result', 'results/csv', '1.1', 'identity'],
    ['a whole result, compressed', 'results/csv', '1.1', 'gzip'],
    ['a whole result, over HTTP/1.0', 'results/csv', '1.0', 'identity'],
    ['a page of CSV', `results/csv?limit=${ROWS}`, '1.1', 'identity'],
    ['a page of JSON', `results?limit=${ROWS}`, '1.1', 'identity'],
  ])('cuts a client that takes no bytes of %s, in a way that it can tell', async (_, call, version, encoding) => {
    const { client, end } = await open(call, version, encoding);
    await once(end, 'close');
    client.resume();
    const [error] = await once(client, 'error');
    expect((error as NodeJS.ErrnoException).code).toBe('ECONNRESET');
  });

  it.each([
    ['a whole result', 'results/csv'],
    ['a page', `results/csv?limit=${ROWS}`],
  ])('serves a client that takes %s slowly, but steadily, to the end', async (_, call) => {
    const { client } = await open(call, '1.1', 'identity');
    let text = '';
    for (let step = 0; step < SLOW_STEPS; step++) {
      const chunk = client.read(Math.min(STEP_BYTES, client.readableLength)) as Buffer | null;
      text += chunk?.toString('latin1') ?? '';
      await setTimeout(STEP_MS);
    }
    for await (const chunk of client) text += chunk.toString('latin1');
    expect(text).toMatch(/\r\n0\r\n\r\n$/);
    expect(text).toContain(`${ROWS - 1},`);
  });
});
