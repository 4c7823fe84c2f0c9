import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChildren } from '../support/child-processes.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { SetClock } from '../support/set-clock.js';

const DAY_SECONDS = 86_400;

describe('the answers of the results endpoints', () => {
  const clock = new SetClock(new Date('2026-01-01T00:00:00Z'));
  let server: TestServer;
  let id: string;
  let queryId: number;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', RESULT_RETENTION_DAYS: '10' }, { clock });
    queryId = await server.givenQuery('SELECT range AS n FROM range(20000)');
    id = await server.givenExecution(queryId);
  });
  afterAll(() => stopWithoutLeaks(server));

  const fetchResult = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    server.send(method, path, { headers: { 'accept-encoding': 'identity', ...headers } });

  it.each(['results', 'results/csv', 'results?limit=2', 'results/csv?limit=2&offset=4'])(
    'are not sent again to a client that has them: %s',
    async (path) => {
      const first = await fetchResult(`/execution/${id}/${path}`);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[\w-]{22}"$/);
      for (const ifNoneMatch of [etag, `"other", ${etag}`, '*', `W/${etag}`]) {
        const again = await fetchResult(`/execution/${id}/${path}`, { 'if-none-match': ifNoneMatch });
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
        expect(again.headers.get('content-type')).toBeNull();
      }
      expect((await fetchResult(`/execution/${id}/${path}`, { 'if-none-match': '"other"' })).text).toBe(first.text);
    },
  );

  it('have another tag for another request, format, execution and encoding', async () => {
    const other = await server.givenExecution(queryId);
    const tags = await Promise.all(
      [
        [`/execution/${id}/results`],
        [`/execution/${id}/results/csv`],
        [`/execution/${id}/results?limit=1`],
        [`/execution/${other}/results`],
        [`/execution/${id}/results`, 'gzip'],
        [`/execution/${id}/results`, 'br'],
      ].map(async ([path = '', encoding = 'identity']) => {
        const { headers } = await fetchResult(path, { 'accept-encoding': encoding });
        return headers.get('etag');
      }),
    );
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('are recognized by the tag of their compressed form', async () => {
    const path = `/execution/${id}/results`;
    const tag = (await fetchResult(path, { 'accept-encoding': 'gzip' })).headers.get('etag') ?? '';
    const again = await fetchResult(path, { 'accept-encoding': 'gzip', 'if-none-match': tag });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('have no tag where the next one differs: a sample without a seed, and an execution without a result', async () => {
    const sampled = await fetchResult(`/execution/${id}/results?sample_count=5`);
    expect([sampled.headers.get('etag'), sampled.headers.get('cache-control')]).toEqual([null, 'no-cache']);
    const seeded = await fetchResult(`/execution/${id}/results?sample_count=5&sample_seed=1`);
    expect(seeded.headers.get('etag')).not.toBeNull();
    const failed = await server.givenExecution(await server.givenQuery('SELECT error(1)'));
    const answer = await fetchResult(`/execution/${failed}/results`);
    expect([answer.headers.get('etag'), answer.headers.get('cache-control')]).toEqual([null, 'no-cache']);
  });

  it('can be kept until the result expires; which result is the latest must be asked again', async () => {
    const execution = await fetchResult(`/execution/${id}/results/csv`);
    expect(execution.headers.get('cache-control')).toBe(`private, max-age=${10 * DAY_SECONDS}, immutable`);
    const latest = await fetchResult(`/query/${queryId}/results`);
    expect(latest.headers.get('cache-control')).toBe('no-cache');
    const tag = latest.headers.get('etag') ?? '';
    expect((await fetchResult(`/query/${queryId}/results`, { 'if-none-match': tag })).status).toBe(304);
    await server.givenExecution(queryId);
    expect((await fetchResult(`/query/${queryId}/results`, { 'if-none-match': tag })).status).toBe(200);
  });

  it('are checked before anything else: no tag opens a result to another account', async () => {
    const stranger = await server.givenKey('stranger');
    const privateId = await server.givenExecution(await server.givenQuery('SELECT 1', { is_private: true }));
    const headers = { 'if-none-match': '*' };
    expect((await server.send('GET', `/execution/${privateId}/results`, { headers, key: stranger })).status).toBe(404);
    expect((await server.send('GET', `/execution/${id}/results`, { headers, key: 'bad' })).status).toBe(401);
  });

  it('have their headers by HEAD, without a read and with the same errors', async () => {
    for (const child of findChildren('read.child')) process.kill(child, 'SIGSTOP');
    try {
      const { status, text, headers } = await fetchResult(`/execution/${id}/results/csv`, {}, 'HEAD');
      expect([status, text, headers.get('content-type')]).toEqual([200, '', 'text/csv; charset=utf-8']);
      expect(headers.get('etag')).toMatch(/^"/);
      expect((await fetchResult(`/execution/${id}/results?columns=nothing`, {}, 'HEAD')).status).toBe(400);
    } finally {
      for (const child of findChildren('read.child')) process.kill(child, 'SIGCONT');
    }
  });

  it('can be kept as a file', async () => {
    const csv = await fetchResult(`/execution/${id}/results/csv?limit=1&download=numbers`);
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="numbers.csv"');
    const json = await fetchResult(`/execution/${id}/results?limit=1&download=`);
    expect(json.headers.get('content-disposition')).toBe('attachment; filename="result.json"');
    const failing = await fetchResult(`/execution/${id}/results?columns=nothing&download=x`);
    expect([failing.status, failing.headers.get('content-disposition')]).toEqual([400, null]);
  });
});

describe('a whole result of more than 1 MB', () => {
  let server: TestServer;
  let id: string;

  async function encodingOf(accepted: string, path = 'results/csv'): Promise<string | null> {
    const headers = { 'x-service-api-key': server.key, 'accept-encoding': accepted };
    const answer = await fetch(`${server.url}/api/v1/execution/${id}/${path}`, { headers });
    expect((await answer.text()).split('\n', 1)).toEqual([expect.stringMatching(/^n|^\{/)]);
    return answer.headers.get('content-encoding');
  }

  async function givenServer(settings: Record<string, string>): Promise<void> {
    server = await TestServer.start({ WORKERS: '1', ...settings });
    id = await server.givenResult('SELECT range AS n FROM range(200000)');
  }

  it('is compressed with zstd only: brotli and gzip would slow it', async () => {
    await givenServer({});
    expect(await encodingOf('gzip, deflate, br')).toBeNull();
    expect(await encodingOf('gzip, zstd;q=0')).toBeNull();
    expect(await encodingOf('gzip, deflate, br, zstd')).toBe('zstd');
    expect(await encodingOf('gzip', 'results?limit=1000')).toBe('gzip');
    await stopWithoutLeaks(server);
  });

  it('is compressed for all that accept it with COMPRESS_DOWNLOADS=all', async () => {
    await givenServer({ COMPRESS_DOWNLOADS: 'all' });
    expect(await encodingOf('gzip')).toBe('gzip');
    expect(await encodingOf('gzip, br')).toBe('br');
    await stopWithoutLeaks(server);
  });
});
