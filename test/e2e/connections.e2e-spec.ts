import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { sendRaw } from '../support/raw-request.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const MAX_CONNECTIONS = 4;
/** A slow client sends a character at a time; together they take longer than one may be idle. */
const STEP_MS = 65;
const BODY = '{"name":"a","query_sql":"SELECT 1"}';

describe('connections', () => {
  const sockets: Socket[] = [];
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({
      WORKERS: '1',
      MAX_CONNECTIONS: String(MAX_CONNECTIONS),
      REQUEST_IDLE_TIMEOUT: '2s',
    });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(() => stopWithoutLeaks(server));

  /** Opens a connection, sends a text, and closes it only when the test has ended. */
  async function send(text: string): Promise<Socket> {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  }

  /** Reads all that the server sends until it ends the connection. */
  async function readAll(socket: Socket): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }

  const ask = (path: string) => sendRaw(server.url, [`GET ${path} HTTP/1.1`]);
  const head = (...lines: string[]) => `${lines.join('\r\n')}\r\nHost: a\r\n`;
  const post = (key: string, size: number) =>
    `${head('POST /api/v1/query HTTP/1.1', `X-Service-Api-Key: ${key}`, `Content-Length: ${size}`)}\r\n`;

  it('above MAX_CONNECTIONS get a 503 for what is not health, until there is room', async () => {
    const busy: Socket[] = [];
    for (let count = 0; count < MAX_CONNECTIONS; count++) busy.push(await send(post(server.key, 100)));
    const rejected = await ask('/api/v1/queries');
    expect([rejected.status, JSON.parse(rejected.text)]).toEqual([
      503,
      { error: expect.stringContaining('(MAX_CONNECTIONS)'), code: 'too_many_connections' },
    ]);
    expect(rejected.head).toMatch(/^retry-after: 1$/im);
    expect((await ask('/health/live')).status).toBe(200);
    // A client that is still sending gets its answer, too.
    const data = `a\n${'1\n'.repeat(5_000_000)}`;
    const upload = await fetch(`${server.url}/api/v1/uploads/csv?table_name=a`, { method: 'POST', body: data });
    expect([upload.status, upload.headers.get('connection')]).toEqual([503, 'close']);
    busy[0]?.destroy();
    await until(async () => (await ask('/api/v1/queries')).status === 401);
  });

  it('that carry no request make room for others', async () => {
    for (let count = 0; count < MAX_CONNECTIONS; count++) {
      const idle = await send(`${head('GET /health/live HTTP/1.1')}\r\n`);
      await once(idle, 'data');
    }
    expect((await ask('/api/v1/queries')).status).toBe(401);
  });

  it.each([
    ['the headers', () => head('GET /health/live HTTP/1.1')],
    ['the body', () => `${post(server.key, BODY.length)}${BODY.slice(0, 5)}`],
  ])('whose client stops in the middle of %s are answered 408 and ended', async (_what, text) => {
    const socket = await send(text());
    const answer = await readAll(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"request_timeout"');
    // Its client does not close its side.
    await until(async () => (await connectionsOf()) === 0);
  });

  it('are ended whose client does not send the body of a request that is answered', async () => {
    const socket = await send(`${post('unknown', 100)}{`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('have all the time that a body needs which arrives slowly', async () => {
    const socket = await send(post(server.key, BODY.length));
    const answered = once(socket, 'data');
    for (const character of BODY) {
      socket.write(character);
      await setTimeout(STEP_MS);
    }
    const [answer] = await answered;
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  });

  function connectionsOf(): Promise<number> {
    return new Promise((resolve, reject) => {
      server.app
        .getHttpServer()
        .getConnections((error: Error | null, count: number) => (error ? reject(error) : resolve(count)));
    });
  }
});
