import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PageReader } from '../../src/results/page-reader.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { SetClock } from '../support/set-clock.js';
import { storedFileBytes } from '../support/stored-file-bytes.js';
import { ENDLESS } from '../support/wire.js';

const DAY = 86_400;

describe('DELETE /v1/execution/{execution_id}', () => {
  const clock = new SetClock(new Date());
  let server: TestServer;
  let other: string;

  beforeAll(async () => {
    server = await TestServer.start({ RESULT_RETENTION_DAYS: '30' }, { clock });
    other = await server.givenKey('other');
  });
  afterAll(() => stopWithoutLeaks(server));

  const remove = (id: string, key = server.key) => server.delete(`/execution/${id}`, key);
  const notFound = (id: string) => ({
    status: 404,
    body: { error: `The requested execution ID (ID: ${id}) was not found.`, code: 'execution_not_found' },
  });

  async function expectExpired(id: string): Promise<void> {
    expect((await server.get(`/execution/${id}/status`)).body.state).toBe('QUERY_STATE_EXPIRED');
    const page = await server.get(`/execution/${id}/results`);
    expect([page.status, page.body.state, 'result' in page.body]).toEqual([200, 'QUERY_STATE_EXPIRED', false]);
    expect(await server.get(`/execution/${id}/results/csv`)).toMatchObject({
      status: 409,
      body: { code: 'no_result' },
    });
    expect(await storedFileBytes(server.dataDir, [id])).toBe(0);
  }

  it('deletes the file and lets the execution expire, once and again', async () => {
    const id = await server.givenResult('SELECT 1 AS a');
    const kept = await server.givenResult('SELECT 2 AS a');
    const bytes = await storedFileBytes(server.dataDir, [id]);
    const answer = { execution_id: id, state: 'QUERY_STATE_EXPIRED', freed_bytes: bytes };
    expect(await remove(id)).toMatchObject({ status: 200, body: answer });
    await expectExpired(id);
    expect(await remove(id.toLowerCase())).toMatchObject({ status: 200, body: { ...answer, freed_bytes: 0 } });
    expect((await server.get(`/execution/${kept}/results`)).body.result.rows).toEqual([{ a: 2 }]);
  });

  it('leaves the latest result to the run before', async () => {
    const query = await server.givenQuery("SELECT '{{a}}' AS a");
    const first = await server.givenExecution(query, { query_parameters: { a: 1 } });
    await remove(await server.givenExecution(query, { query_parameters: { a: 2 } }));
    expect((await server.get(`/query/${query}/results`)).body.execution_id).toBe(first);
  });

  it('frees the bytes of a result that has expired and is not swept yet', async () => {
    const id = await server.givenResult('SELECT 1 AS a');
    clock.advance({ seconds: 31 * DAY });
    const bytes = await storedFileBytes(server.dataDir, [id]);
    expect(bytes).toBeGreaterThan(0);
    expect((await remove(id)).body).toMatchObject({ state: 'QUERY_STATE_EXPIRED', freed_bytes: bytes });
    await expectExpired(id);
  });

  it('is 409 before the execution has ended, and changes nothing of one that stored no result', async () => {
    const running = (await server.post('/sql/execute', { sql: ENDLESS })).body.execution_id;
    await server.untilStatus(running, ({ state }) => state === 'QUERY_STATE_EXECUTING');
    const pending = (await server.post('/sql/execute', { sql: 'SELECT 1' })).body.execution_id;
    for (const id of [running, pending])
      expect(await remove(id)).toMatchObject({
        status: 409,
        body: {
          error: 'The execution has not ended: cancel it first, with POST /api/v1/execution/{execution_id}/cancel',
          code: 'execution_not_finished',
        },
      });
    await server.post(`/execution/${running}/cancel`);
    expect((await remove(running)).body).toEqual({
      execution_id: running,
      state: 'QUERY_STATE_CANCELLED',
      freed_bytes: 0,
    });
    await server.untilEnded(pending);
  });

  it("is the account's alone that ran it", async () => {
    const own = await server.givenResult('SELECT 1 AS a');
    expect(await remove(own, other)).toMatchObject(notFound(own));
    // A result of a public query can be seen by others, but is not theirs, even if the query is.
    const query = await server.givenQuery('SELECT 1 AS a');
    const ofOther = await server.givenExecution(query, {}, other);
    expect(await remove(ofOther)).toMatchObject({
      status: 403,
      body: { error: 'Not allowed to delete this execution', code: 'execution_not_allowed' },
    });
    await server.post(`/query/${query}/private`);
    expect(await remove(ofOther)).toMatchObject(notFound(ofOther));
    expect((await server.get(`/execution/${ofOther}/results`, {}, other)).body.result.rows).toEqual([{ a: 1 }]);
    expect((await remove(ofOther, other)).status).toBe(200);
  });

  it('needs the scope that executing needs', async () => {
    const id = await server.givenResult('SELECT 1 AS a');
    const reading = await server.givenKey('demo', { scope: 'read' });
    expect(await remove(id, reading)).toMatchObject({
      status: 403,
      body: { error: 'This API key may not delete results', code: 'scope_missing' },
    });
    expect((await remove(id, await server.givenKey('demo', { scope: 'read_write' }))).status).toBe(200);
  });

  it.each([
    ['x', 400, 'The requested execution ID (ID: x) is invalid.'],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 404, 'The requested execution ID (ID: 01ARZ3NDEKTSV4RRFFQ69G5FAV) was not found.'],
  ])('of %s is %i', async (id, status, error) => {
    expect(await remove(id)).toMatchObject({ status, body: { error } });
  });

  describe('while the result is read', () => {
    it('lets a stream that has begun end whole', async () => {
      const rows = 500_000;
      const id = await server.givenResult(`SELECT range AS n FROM range(${rows})`);
      const headers = { 'x-service-api-key': server.key };
      const { body } = await fetch(`${server.url}/api/v1/execution/${id}/results/csv`, { headers });
      const stream = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
      const chunks = [(await stream.next()).value];
      expect((await remove(id)).status).toBe(200);
      for (let chunk = await stream.next(); !chunk.done; chunk = await stream.next()) chunks.push(chunk.value);
      const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
      expect([lines.length, lines.at(-1)]).toEqual([rows + 1, String(rows - 1)]);
      await expectExpired(id);
    });

    it.each([
      ['results', { limit: 1 }, 200],
      ['results/csv', { limit: 1 }, 409],
      ['results/csv', {}, 409],
    ])('answers %s %j that comes too late with %i', async (call, query, status) => {
      const id = await server.givenResult('SELECT 1 AS a');
      const pages = server.app.get(PageReader);
      const restore = beforeReading(pages, () => remove(id));
      const answer = await server.get(`/execution/${id}/${call}`, query).finally(restore);
      expect([answer.status, answer.body.state]).toEqual([status, 'QUERY_STATE_EXPIRED']);
    });
  });

  /** Lets something happen after a read has found its execution, and before it opens the file. */
  function beforeReading(pages: PageReader, happen: () => Promise<unknown>): () => void {
    const { readPage, streamCsv } = pages;
    pages.readPage = async (...request) => {
      await happen();
      return readPage.apply(pages, request);
    };
    pages.streamCsv = async (...request) => {
      await happen();
      return streamCsv.apply(pages, request);
    };
    return () => Object.assign(pages, { readPage, streamCsv });
  }
});
