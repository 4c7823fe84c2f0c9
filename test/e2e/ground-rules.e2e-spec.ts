import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beginRaw, sendRaw } from '../support/raw-request.js';
import { SharedServer } from '../support/shared-server.js';

const QUERY = JSON.stringify({ name: 'a', query_sql: 'SELECT 1' });
const DEEP = `{"name":"a","query_sql":"SELECT 1","tags":${'['.repeat(400_000)}${']'.repeat(400_000)}}`;

describe('ground rules', () => {
  let server: SharedServer;
  let queryId: number;
  let executionId: string;

  beforeAll(async () => {
    server = await SharedServer.use();
    queryId = await server.givenQuery('SELECT range AS n FROM range(500)');
    executionId = await server.givenExecution(queryId);
  });
  afterAll(() => server.leave());

  describe('a trailing slash', () => {
    it('means the same path, with no redirect', async () => {
      const options = { method: 'POST', headers: { 'x-service-api-key': server.key }, body: QUERY } as const;
      const answer = await fetch(`${server.url}/api/v1/query/`, { ...options, redirect: 'error' });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ query_id: expect.any(Number) });
    });

    it.each(['/queries/', '/query/ID/', '/query/ID/results/', '/query/ID/results/csv/', '/execution/EX/status/'])(
      'is taken in GET %s',
      async (path) => {
        const answer = await server.get(path.replace('ID', String(queryId)).replace('EX', executionId));
        expect(answer.status).toBe(200);
      },
    );
  });

  describe('a failure', () => {
    it.each([
      ['an unknown path', 'GET', '/nowhere', undefined, 404, 'No such path', 'route_not_found'],
      ['a malformed URL', 'GET', '/query/%E0%A4%A', undefined, 400, 'The request is malformed', 'malformed_request'],
      [
        'a malformed id',
        'GET',
        '/query/x',
        undefined,
        400,
        'The requested query ID (ID: x) is invalid.',
        'invalid_query_id',
      ],
      [
        'query id 0',
        'GET',
        '/query/0',
        undefined,
        400,
        'The requested query ID (ID: 0) is invalid.',
        'invalid_query_id',
      ],
      ['an unknown query', 'GET', '/query/999999', undefined, 404, 'Query not found', 'query_not_found'],
      ['unreadable JSON', 'POST', '/query', '{"name":', 400, 'Invalid request body payload', 'unreadable_body'],
      ['a JSON array', 'POST', '/query', '[1]', 400, 'Invalid request body payload', 'unreadable_body'],
      ['a JSON text', 'POST', '/query', '"a"', 400, 'Invalid request body payload', 'unreadable_body'],
      ['JSON null', 'POST', '/query', 'null', 400, 'Invalid request body payload', 'unreadable_body'],
      ['deep JSON', 'POST', '/query', DEEP, 400, 'Invalid request body payload', 'unreadable_body'],
      ['two JSON values', 'POST', '/query', '{}{}', 400, 'Invalid request body payload', 'unreadable_body'],
      ['a missing field', 'POST', '/sql/execute', '{}', 400, 'sql: must be text', 'invalid_request'],
      [
        'an oversized body',
        'POST',
        '/query',
        `{"name":"${'a'.repeat(1_000_000)}"}`,
        413,
        'The request body may be at most 1 MB',
        'body_too_large',
      ],
    ] as const)('has the one error body: %s', async (_, method, path, body, status, error, code) => {
      const answer = await server.send(method, path, { body });
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({ error: expect.stringContaining(error), code });
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    });

    it('has it also where the request is no HTTP', async () => {
      const answer = await sendRaw(server.url, ['NONSENSE']);
      expect(answer.status).toBe(400);
      expect(answer.head).toMatch(/content-type: application\/json/i);
      expect(JSON.parse(answer.text)).toEqual({ error: 'The request is malformed', code: 'malformed_request' });
    });

    it.each([
      ['without Host', ['GET /api/v1/queries HTTP/1.1']],
      ['with two headers Host', ['GET /health/live HTTP/1.1', 'Host: a', 'Host: b']],
    ])('has it also where a request comes %s', async (_, lines) => {
      const answer = await (await beginRaw(server.url, lines))();
      expect(answer.status).toBe(400);
      expect(answer.head).toMatch(/content-type: application\/json/i);
      expect(JSON.parse(answer.text)).toEqual({
        error: 'The request must have one header Host',
        code: 'malformed_request',
      });
    });

    it('leaves Host to a request of HTTP/1.0', async () => {
      expect((await (await beginRaw(server.url, ['GET /health/live HTTP/1.0']))()).status).toBe(200);
    });

    it.each([
      ['a tunnel', ['CONNECT 127.0.0.1:1 HTTP/1.1']],
      ['an unknown method', ['FETCH /health/live HTTP/1.1']],
      ['another protocol', ['GET /health/live SPDY/3']],
      ['two lengths', ['POST /api/v1/query HTTP/1.1', 'Content-Length: 2', 'Content-Length: 3']],
      ['a length beside chunks', ['POST /api/v1/query HTTP/1.1', 'Content-Length: 2', 'Transfer-Encoding: chunked']],
      ['a header without a name', ['GET /health/live HTTP/1.1', ': a']],
    ])('has it also where a request has %s', async (_, lines) => {
      const answer = await sendRaw(server.url, lines);
      expect(answer.status).toBe(400);
      expect(answer.head).toMatch(/content-type: application\/json/i);
      expect(JSON.parse(answer.text)).toEqual({ error: 'The request is malformed', code: 'malformed_request' });
    });

    it('has it also where the headers are too large', async () => {
      const answer = await sendRaw(server.url, ['GET /api/v1/queries HTTP/1.1', `X-Filler: ${'a'.repeat(200_000)}`]);
      expect(answer.status).toBe(431);
      expect(JSON.parse(answer.text)).toEqual({
        error: 'The headers of the request are too large',
        code: 'headers_too_large',
      });
    });

    it('has it also where a request expects what nobody can do', async () => {
      const answer = await sendRaw(server.url, ['GET /api/v1/queries HTTP/1.1', 'Expect: miracles']);
      expect(answer.status).toBe(417);
      expect(answer.head).toMatch(/content-type: application\/json/i);
      expect(JSON.parse(answer.text)).toEqual({
        error: 'Only 100-continue can be expected',
        code: 'expectation_failed',
      });
    });

    it('has it also where a path segment is very long', async () => {
      const id = 'a'.repeat(5_000);
      const answer = await server.get(`/execution/${id}/status`);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe(`The requested execution ID (ID: ${id.slice(0, 60)}…) is invalid.`);
    });

    it('names every field at fault', async () => {
      const answer = await server.post('/query', { query_sql: '', tags: 'x', parameters: [{ key: 1 }] });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toBe(
        'name: must be text; query_sql: must not be empty; tags: must be a list; parameters.0.key: must be text',
      );
    });
  });

  describe('a body', () => {
    it.each([
      ['no Content-Type', undefined],
      ['text/plain', 'text/plain'],
      ['application/json', 'application/json'],
      ['application/json with a charset', 'application/json; charset=utf-8'],
      ['a form type', 'application/x-www-form-urlencoded'],
      ['a Content-Type that is none', 'nonsense'],
    ])('is read as JSON with %s', async (_, contentType) => {
      const lines = ['POST /api/v1/query HTTP/1.1', `X-Service-Api-Key: ${server.key}`];
      if (contentType) lines.push(`Content-Type: ${contentType}`);
      const answer = await sendRaw(server.url, [...lines, `Content-Length: ${QUERY.length}`], QUERY);
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text)).toEqual({ query_id: expect.any(Number) });
    });

    it('may hold brackets in its texts, as many as it likes', async () => {
      const body = JSON.stringify({ name: '[{"\\'.repeat(50), query_sql: `SELECT '${'['.repeat(1_000)}'` });
      expect((await server.send('POST', '/query', { body })).status).toBe(200);
    });

    it('may begin with a byte order mark', async () => {
      expect((await server.send('POST', '/query', { body: `\uFEFF${QUERY}` })).status).toBe(200);
    });

    it('may come in chunks', async () => {
      const hex = QUERY.length.toString(16);
      const lines = ['POST /api/v1/query HTTP/1.1', `X-Service-Api-Key: ${server.key}`, 'Transfer-Encoding: chunked'];
      expect((await sendRaw(server.url, lines, `${hex}\r\n${QUERY}\r\n0\r\n\r\n`)).status).toBe(200);
    });

    it.each([
      ['absent', [], ''],
      ['empty, with a Content-Type', ['Content-Type: application/json', 'Content-Length: 0'], ''],
      ['white space', ['Content-Type: application/json', 'Content-Length: 2'], ' \n'],
      ['{}', ['Content-Type: application/json', 'Content-Length: 2'], '{}'],
    ])('counts as {} where it is %s', async (_, headers, body) => {
      const lines = [`POST /api/v1/query/${queryId}/archive HTTP/1.1`, `X-Service-Api-Key: ${server.key}`];
      const answer = await sendRaw(server.url, [...lines, ...headers], body);
      expect(answer.status).toBe(200);
      await server.post(`/query/${queryId}/unarchive`);
    });

    it.each([
      ['GET', 'queries', 200],
      ['DELETE', 'table/demo/nothing', 404],
    ])('may be {} in a %s', async (method, path, status) => {
      const lines = [`${method} /api/v1/${path} HTTP/1.1`, `X-Service-Api-Key: ${server.key}`];
      const headers = ['Content-Type: application/json', 'Content-Length: 2'];
      const answer = await sendRaw(server.url, [...lines, ...headers], '{}');
      expect(answer.status).toBe(status);
    });

    it('may be refused unread and leave the connection usable', async () => {
      const huge = 'x'.repeat(3_000_000);
      expect((await server.send('POST', '/query', { body: huge })).status).toBe(413);
      expect((await server.send('POST', '/nowhere', { body: huge })).status).toBe(404);
      expect((await server.get('/queries')).status).toBe(200);
    });
  });

  it.each([
    '/queries',
    '/query/ID',
    '/query/ID/results',
    '/query/ID/results/csv',
    '/execution/EX/status',
    '/execution/EX/results',
  ])('ignores query parameters that it does not know in GET %s', async (path) => {
    const answer = await server.get(path.replace('ID', String(queryId)).replace('EX', executionId), {
      unknown: 'a',
      ignore_max_datapoints_per_request: true,
      twice: ['a', 'b'],
    });
    expect(answer.status).toBe(200);
  });

  it.each(['http://proxy.example:81', 'HTTPS://proxy.example:81'])(
    'answers a request line that names a host, %s, as its path, for that host',
    async (origin) => {
      const path = `/api/v1/execution/${executionId}/results/csv?limit=1`;
      const lines = [`GET ${origin}${path} HTTP/1.0`, `X-Service-Api-Key: ${server.key}`, 'Host: other.example'];
      const { status, head, text } = await sendRaw(server.url, lines);
      expect(status).toBe(200);
      expect(text).toBe((await server.get(path.slice('/api/v1'.length))).text);
      expect(/^x-service-next-uri: (\S*)$/im.exec(head)?.[1]).toMatch(
        /^http:\/\/proxy\.example:81\/api\/v1\/execution/,
      );
    },
  );

  it.each([
    ['http://a', 302],
    ['http://a?x=1', 302],
    ['http://a/nowhere', 404],
  ])('answers a request line that names %s', async (target, status) => {
    expect((await sendRaw(server.url, [`GET ${target} HTTP/1.1`])).status).toBe(status);
  });

  it('answers HEAD like GET, without a body', async () => {
    for (const path of ['/queries', `/execution/${executionId}/results`, `/execution/${executionId}/results/csv`]) {
      const answer = await server.send('HEAD', path);
      expect([answer.status, answer.text]).toEqual([200, '']);
    }
    expect((await server.send('HEAD', '/queries', { key: 'bad' })).status).toBe(401);
  });

  describe('compression', () => {
    it.each(['gzip', 'br'])('is %s where it is accepted', async (encoding) => {
      const plain = await server.get(`/execution/${executionId}/results/csv`);
      const headers = { 'accept-encoding': encoding };
      const answer = await server.send('GET', `/execution/${executionId}/results/csv`, { headers });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
      expect(answer.text).toBe(plain.text);
    });

    it('is left out where it is not', async () => {
      const answer = await server.send('GET', `/execution/${executionId}/results`, {
        headers: { 'accept-encoding': 'identity' },
      });
      expect(answer.headers.get('content-encoding')).toBeNull();
    });
  });

  describe('CORS', () => {
    it('lets a set origin call and read the paging headers', async () => {
      const answer = await server.send('GET', `/execution/${executionId}/results/csv`, {
        query: { limit: 1 },
        headers: { origin: 'https://app.example.org' },
      });
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.org');
      expect(answer.headers.get('access-control-expose-headers')).toMatch(/x-service-next-offset.*x-service-next-uri/i);
    });

    it('answers a preflight without a key', async () => {
      const answer = await server.send('OPTIONS', '/query', {
        key: '',
        headers: {
          origin: 'https://app.example.org',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-service-api-key,content-type',
        },
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('access-control-allow-methods')).toMatch(/POST/);
      expect(answer.headers.get('access-control-allow-headers')).toMatch(/x-service-api-key/i);
    });

    it('does not let another origin', async () => {
      const answer = await server.send('GET', '/queries', { headers: { origin: 'https://evil.example.org' } });
      expect(answer.headers.get('access-control-allow-origin')).not.toBe('https://evil.example.org');
    });
  });
});
