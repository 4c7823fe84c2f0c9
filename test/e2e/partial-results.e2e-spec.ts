import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';

const ROWS = 400_000;
const REFUSED = { error: "Partial Result, please request with 'allows_partial_results=true'", code: 'partial_result' };

describe('partial results', () => {
  let server: TestServer;
  let query: number;
  let id: string;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', MAX_RESULT_BYTES: '2MB' });
    query = await server.givenQuery(`SELECT range AS n, md5(range::VARCHAR) AS text FROM range(${ROWS})`);
    id = await server.givenExecution(query);
  });
  afterAll(() => stopWithoutLeaks(server));

  it('are told of in the status', async () => {
    const { body } = await server.get(`/execution/${id}/status`);
    expect(body).toMatchObject({ state: 'QUERY_STATE_COMPLETED_PARTIAL', is_execution_finished: true });
    expect(body.result_metadata.total_row_count).toBeGreaterThan(0);
    expect(body.result_metadata.total_row_count).toBeLessThan(ROWS);
    expect(body.result.result_set_size).toBe(body.result_metadata.total_result_set_bytes);
    expect(body).not.toHaveProperty('error');
  });

  describe.each(['results', 'results/csv'])('in GET …/%s', (call) => {
    it.each([undefined, 'false', 'False', ''])('are refused with allow_partial_results=%s', async (value) => {
      for (const path of [`/execution/${id}`, `/query/${query}`]) {
        for (const name of ['allow_partial_results', 'allows_partial_results']) {
          const answer = await server.get(`${path}/${call}`, { limit: 1, [name]: value });
          expect([answer.status, answer.body]).toEqual([400, REFUSED]);
        }
      }
    });

    it('are refused with a value that is none', async () => {
      const answer = await server.get(`/execution/${id}/${call}`, { allow_partial_results: 'yes' });
      const error = 'allow_partial_results: must be true or false';
      expect([answer.status, answer.body]).toEqual([400, { error, code: 'invalid_request' }]);
    });

    it('are read with True, as some clients write it', async () => {
      expect((await server.get(`/execution/${id}/${call}`, { limit: 2, allow_partial_results: 'True' })).status).toBe(
        200,
      );
    });

    it.each(['allow_partial_results', 'allows_partial_results'])('are read with %s=true', async (name) => {
      for (const path of [`/execution/${id}`, `/query/${query}`]) {
        const answer = await server.get(`${path}/${call}`, { limit: 2, columns: 'n', [name]: 'true' });
        expect(answer.status).toBe(200);
        const uri = new URL(answer.body?.next_uri ?? answer.headers.get('x-service-next-uri'));
        expect(uri.searchParams.get(name)).toBe('true');
        const next = await server.get(`${uri.pathname.slice('/api/v1'.length)}${uri.search}`);
        expect(next.status).toBe(200);
        expect(next.text).toContain('2');
      }
    });
  });

  it('are the first rows, in order', async () => {
    const { text } = await server.get(`/execution/${id}/results/csv`, { columns: 'n', allow_partial_results: true });
    const { body } = await server.get(`/execution/${id}/results`, { limit: 1, allow_partial_results: true });
    const total = body.result.metadata.total_row_count;
    expect(text).toBe(`n\n${Array.from({ length: total }, (_, n) => `${n}\n`).join('')}`);
    expect(body.state).toBe('QUERY_STATE_COMPLETED_PARTIAL');
    const past = await server.get(`/execution/${id}/results`, { offset: total, limit: 5, allow_partial_results: true });
    expect(past.body.result.rows).toEqual([]);
    expect(past.body).not.toHaveProperty('next_uri');
  });

  it('are none where the result fits', async () => {
    const small = await server.givenResult('SELECT 1 AS a');
    expect((await server.get(`/execution/${small}/results`)).body.state).toBe('QUERY_STATE_COMPLETED');
  });
});
