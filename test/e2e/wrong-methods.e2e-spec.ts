import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { sendRaw } from '../support/raw-request.js';
import { TestServer } from '../support/server.js';
import { SetClock } from '../support/set-clock.js';

const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('a method that a path does not have', () => {
  let server: TestServer;

  beforeAll(async () => {
    // No bucket of calls fills up again.
    server = await TestServer.start({ WRITES_PER_MINUTE: '50' }, { clock: new SetClock(new Date()) });
  });
  afterAll(() => stopWithoutLeaks(server));

  it.each([
    ['DELETE', '/api/v1/queries', 'GET, HEAD'],
    ['POST', '/api/v1/queries/', 'GET, HEAD'],
    ['GET', '/api/v1/query', 'POST'],
    ['PUT', '/api/v1/query/5', 'GET, HEAD, PATCH'],
    ['DELETE', '/api/v1/query/not-a-number/', 'GET, HEAD, PATCH'],
    ['GET', '/api/v1/query/5/execute', 'POST'],
    ['HEAD', '/api/v1/query/5/archive', 'POST'],
    ['POST', '/api/v1/query/5/results/csv', 'GET, HEAD'],
    ['GET', '/api/v1/sql/execute?api_key=KEY', 'POST'],
    ['OPTIONS', '/api/v1/sql/execute', 'POST'],
    ['PURGE', '/api/v1/sql/execute', 'POST'],
    ['PROPFIND', `/api/v1/execution/${ID}/status`, 'GET, HEAD'],
    ['PATCH', `/api/v1/execution/${ID}/cancel`, 'POST'],
    ['PATCH', '/api/v1/uploads', 'GET, HEAD, POST'],
    ['PUT', '/api/v1/table/demo/a%20b', 'DELETE'],
    ['GET', '/api/v1/table/upload/csv', 'POST'],
  ])('is 405 with Allow: %s %s', async (method, path, allow) => {
    const { status, head, text } = await sendRaw(server.url, [
      `${method} ${path.replace('KEY', server.key)} HTTP/1.1`,
      ...(path.includes('KEY') ? [] : [`X-Service-Api-Key: ${server.key}`]),
    ]);
    expect(status).toBe(405);
    expect(/^allow: (.*?)\r?$/im.exec(head)?.[1]).toBe(allow);
    expect(head).toMatch(/content-type: application\/json/i);
    const error = `This path does not support the method ${method}, use ${allow.replaceAll(', ', ' or ')}`;
    if (method !== 'HEAD') expect(JSON.parse(text)).toEqual({ error, code: 'method_not_allowed' });
  });

  it('needs no key where the path needs none', async () => {
    for (const path of ['/health/live', '/api/docs', '/api/openapi.json', '/api', '/']) {
      const answer = await fetch(`${server.url}${path}`, { method: 'POST', body: '{}' });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });

  it('is refused for its key first', async () => {
    for (const key of ['', 'bad']) {
      const answer = await server.send('DELETE', '/queries', { key });
      expect([answer.status, answer.headers.get('allow')]).toEqual([401, null]);
    }
  });

  it('is found out with any key, and counts against its rate', async () => {
    const key = await server.givenKey('reader', { scope: 'read' });
    const answers = await Promise.all(Array.from({ length: 51 }, () => server.send('PUT', '/query', { key })));
    expect(answers.filter(({ status }) => status === 405)).toHaveLength(50);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  });

  it('leaves unknown paths unknown', async () => {
    for (const path of ['/nothing', '/queries/5', '/query/5/nothing', '/execution']) {
      const answer = await server.send('DELETE', path);
      expect([answer.status, answer.headers.get('allow')]).toEqual([404, null]);
    }
  });
});
