import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { collectOutput } from '../support/logs.js';
import { TestServer } from '../support/server.js';

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
    expect(failure.err.stack).toContain('./src/results/reader/');
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
});
