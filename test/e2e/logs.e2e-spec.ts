import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChildren, untilChild } from '../support/child-processes.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { collectOutput } from '../support/logs.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

const SECRET_KEY = 'chosen_by_the_operator_1234567890';

describe('logs', () => {
  const output = collectOutput();
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', LOG_LEVEL: 'trace', BOOTSTRAP_API_KEY: SECRET_KEY });
  });
  afterAll(async () => {
    await stopWithoutLeaks(server);
    output.stop();
  });

  const linesWith = (text: string) =>
    output
      .text()
      .split('\n')
      .filter((line) => line.includes(text))
      .map((line) => JSON.parse(line));

  it('have one line a request with its account, execution, time and bytes', async () => {
    const id = await server.givenResult('SELECT 1 AS a');
    const answer = await server.get(`/execution/${id}/results`, { filters: "a <> 'secret value'" });
    expect(answer.status).toBe(400);
    await server.get(`/execution/${id}/results/csv`, { limit: 1 });
    const [line, ...others] = linesWith(`"path":"/api/v1/execution/${id}/results/csv"`);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      message: 'request',
      method: 'GET',
      status: 200,
      account: 'demo',
      execution: id,
      request_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      elapsed_ms: expect.any(Number),
      bytes: expect.any(Number),
    });
    expect(line.bytes).toBeGreaterThan(100);
  });

  it('have at most the beginning of a long path', async () => {
    const path = `/api/v1/query/${'long'.repeat(1_000)}`;
    await fetch(`${server.url}${path}`);
    const [line] = linesWith('/query/longlong');
    expect(line.path).toBe(path.slice(0, 300));
  });

  it('tell of no failure where a client goes in the middle of a body', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const head = `POST /api/v1/table/create HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: ${SECRET_KEY}\r\nContent-Length: 100`;
    socket.write(`${head}\r\n\r\n{"table_name":`, () => socket.destroy());
    await until(() => linesWith('"path":"/api/v1/table/create"').length > 0);
    // It would be logged after the line of the request.
    await server.get('/queries');
    expect(linesWith('Unexpected failure')).toEqual([]);
  });

  describe('of a download that was cut', () => {
    let path: string;
    beforeAll(async () => {
      const id = await server.givenResult('SELECT md5(range::VARCHAR) AS text FROM range(1000000)');
      path = `/api/v1/execution/${id}/results/csv`;
    });

    const lines = () => linesWith(`"path":"${path}"`);

    /** Begins a download, ends it, and gives its line. */
    async function lineOf(encoding: string, end: (socket: Socket) => void): Promise<object> {
      const count = lines().length;
      const { hostname, port, host } = new URL(server.url);
      const socket = connect(Number(port), hostname);
      const headers = [`Host: ${host}`, `X-Service-Api-Key: ${server.key}`, `Accept-Encoding: ${encoding}`];
      socket.write([`GET ${path} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
      await once(socket, 'data');
      socket.pause();
      end(socket);
      await until(() => lines().length > count);
      socket.destroy();
      return lines().at(-1);
    }

    it.each(['identity', 'gzip', 'br'])('tell that the server did it, as a warning: %s', async (encoding) => {
      const pid = await untilChild('read.child.cjs');
      const line = await lineOf(encoding, () => process.kill(pid, 'SIGKILL'));
      expect(line).toMatchObject({ level: 40, message: 'request', status: 200, cut_by: 'server' });
      await until(() => findChildren('read.child.cjs').some((other) => other !== pid));
    });

    it.each(['identity', 'gzip', 'br'])('tell that the client left, which is no warning: %s', async (encoding) => {
      const left = { level: 30, message: 'request', status: 200, cut_by: 'client' };
      expect(await lineOf(encoding, (socket) => socket.destroy())).toMatchObject(left);
      expect(await lineOf(encoding, (socket) => socket.resetAndDestroy())).toMatchObject(left);
    });

    it('say nothing of it where it arrived whole', async () => {
      expect(await lineOf('identity', (socket) => socket.resume())).not.toHaveProperty('cut_by');
    });
  });

  it('name the request of an internal error by the id that the caller got, and no folder of the server', async () => {
    const id = await server.givenResult('SELECT 1 AS a');
    await rm(join(server.dataDir, 'results'), { recursive: true });
    const answer = await server.get(`/execution/${id}/results`);
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      error: 'An internal error occurred',
      code: 'internal',
      request_id: expect.any(String),
    });
    const [failure] = linesWith('Unexpected failure');
    expect(failure).toMatchObject({ level: 50, request_id: answer.body.request_id });
    expect(failure.err.message).toContain('DATA_DIR/results/');
    expect(failure.err.stack).toContain('./src/processes/read/');
    expect(output.text()).not.toContain(server.dataDir);
    expect(output.text()).not.toContain(process.cwd());
  });

  it('never hold a key, a query string or a body', async () => {
    const other = await server.givenKey('someone');
    for (const key of [server.key, other, SECRET_KEY, 'bad_key_bad_key_bad_key']) {
      await server.get('/queries', { limit: 1 }, key);
      await server.get('/queries', { api_key: key, filters: 'hidden_filter' }, '');
      await server.send('POST', '/query', { key, body: '{"name":"hidden_body"' });
      await server.send('POST', '/query', { key, body: '{"name":"hidden_body","query_sql":"SELECT 1"}' });
      await server.get('/nowhere', { api_key: key }, '');
      await server.get('/query/%E0%A4%A', { api_key: key }, key);
      await server.get('/execution/x/results', { api_key: key }, key);
      await server.get('/query/1/results', { api_key: key }, key);
      await server.post('/query/1/execute', { query_parameters: { hidden_body: 'hidden_body' } }, key);
    }
    const text = output.text();
    expect(text).toContain('"path":"/api/v1/queries"');
    for (const secret of [server.key, other, SECRET_KEY, 'bad_key', 'hidden_filter', 'hidden_body']) {
      expect(text).not.toContain(secret);
    }
  });

  it('never hold the statement of a run, whatever numbers it has, and no run ends its process', async () => {
    const given = (sql: string) => server.givenQuery(sql, { parameters: [{ key: 'n', type: 'number' }] });
    const ended = async (sql: string) =>
      (
        await server.get(
          `/execution/${await server.givenExecution(await given(sql), { query_parameters: { n: '1e400' } })}/results`,
        )
      ).body;
    for (const number of ['1e400', '-1e309', '{{n}}']) {
      const body = await ended(`SELECT ${number} AS n, 'hidden_literal' AS t WHERE ${number} <> 1 -- {{n}}`);
      expect(body.result.rows).toEqual([{ n: number.startsWith('-') ? '-Infinity' : 'Infinity', t: 'hidden_literal' }]);
    }
    const { error } = await ended("SELECT 'hidden_literal' LIMIT {{n}}");
    expect(error).toMatchObject({
      type: 'FAILED_TYPE_EXECUTION_FAILED',
      message: expect.stringContaining('out of range'),
    });
    expect(linesWith('An execution was lost')).toEqual([]);
    const bomb = `repeat('{"a":', 100000) || '1' || repeat('}', 100000)`;
    const lost = await ended(`SELECT 'hidden_literal', json_merge_patch(${bomb}, ${bomb}), {{n}}`);
    expect(lost.error.type).toBe('FAILED_TYPE_INTERNAL');
    expect(linesWith('An execution was lost')[0]).toMatchObject({ reason: 'killed by SIGSEGV' });
    for (const secret of ['hidden_literal', '1e400', 'Infinity', server.dataDir])
      expect(output.text()).not.toContain(secret);
  });

  it('never hold row data, nor the values of parameters and filters', async () => {
    const table = { table_name: 'words', data: 'word,n\nhidden_row,1\n' };
    expect((await server.post('/table/upload/csv', table)).status).toBe(200);
    const insert = (path: string, contentType: string, body: string) =>
      server.send('POST', path, { headers: { 'content-type': contentType }, body });
    expect((await insert('/table/demo/words/insert', 'text/csv', 'word,n\nhidden_row,2\n')).status).toBe(200);
    for (const refused of [
      await insert('/table/demo/words/insert', 'text/csv', 'word,n\na,hidden_row\n'),
      await insert('/table/demo/words/insert', 'application/x-ndjson', '{"word":"a","n":"hidden_row"}\n'),
    ]) {
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('hidden_row')]);
    }
    const query = await server.givenQuery("SELECT word, n, '{{p}}' AS p FROM words", { parameters: [{ key: 'p' }] });
    const id = await server.givenExecution(query, { query_parameters: { p: 'hidden_parameter' } });
    for (const suffix of ['', '/csv']) {
      const read = { filters: "word = 'hidden_row' AND p <> 'hidden_filter'", limit: 1 };
      expect((await server.get(`/execution/${id}/results${suffix}`, read)).text).toContain('hidden_row');
      const latest = { 'params.p': 'hidden_parameter', filters: 'n = hidden_filter' };
      expect((await server.get(`/query/${query}/results${suffix}`, latest)).status).toBe(400);
    }
    const failing = ['SELECT word::INTEGER FROM words', "SELECT error(word) FROM words WHERE word = 'hidden_row'"];
    for (const sql of failing) {
      const { body } = await server.post('/sql/execute', { sql });
      expect((await server.untilEnded(body.execution_id)).text).toContain('hidden_row');
    }
    const wrong = await server.post(`/query/${query}/execute`, { query_parameters: { hidden_parameter: 1 } });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('hidden_parameter')]);
    for (const secret of ['hidden_row', 'hidden_parameter', 'hidden_filter']) {
      expect(output.text()).not.toContain(secret);
    }
  });
});
