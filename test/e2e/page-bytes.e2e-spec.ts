import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api-client.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';

const MAX_PAGE_BYTES = 10_000;

describe('MAX_PAGE_BYTES', () => {
  let server: TestServer;
  let even: string;
  let uneven: string;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', MAX_PAGE_BYTES: String(MAX_PAGE_BYTES) });
    even = await server.givenResult(`SELECT range AS n, repeat('ü', 100) AS text FROM range(500)`);
    uneven = await server.givenResult(
      `SELECT range AS n, repeat('x', (range * 37 % 100)::INTEGER * 60) AS text FROM range(60)`,
    );
  });
  afterAll(() => stopWithoutLeaks(server));

  /** Follows the pages of a result to the end. */
  async function readJsonPages(id: string, query: Record<string, string | number> = {}): Promise<any[]> {
    const pages: any[] = [];
    let offset: number | undefined = 0;
    while (offset !== undefined) {
      const { text, body }: Answer = await server.get(`/execution/${id}/results`, { ...query, offset });
      expect(text.slice(text.indexOf('"rows":[')).length).toBeLessThanOrEqual(MAX_PAGE_BYTES + 100);
      pages.push(body);
      offset = body.next_offset;
    }
    return pages;
  }

  it.each<[string, () => string, Record<string, string | number>]>([
    ['even rows', () => even, {}],
    ['even rows, with a limit', () => even, { limit: 70 }],
    ['even rows, filtered', () => even, { filters: 'n >= 100' }],
    ['uneven rows', () => uneven, {}],
    ['uneven rows, sorted', () => uneven, { sort_by: 'text desc' }],
  ])('ends pages of JSON early, which still add up: %s', async (_, id, query) => {
    const pages = await readJsonPages(id(), query);
    const rows = pages.flatMap((page) => page.result.rows);
    const csv = await server.get(`/execution/${id()}/results/csv`, { ...query, limit: undefined, columns: 'n' });
    expect(rows.map((row) => row.n).join('\n')).toBe(csv.text.trimEnd().slice('n\n'.length));
    expect(pages.length).toBeGreaterThan(4);
    for (const { result } of pages) {
      expect(result.metadata.row_count).toBe(result.rows.length);
      expect(result.metadata.datapoint_count).toBe(2 * result.rows.length);
      expect(result.rows.length).toBeGreaterThan(0);
    }
    expect(pages.reduce((sum, { result }) => sum + result.metadata.result_set_bytes, 0)).toBeGreaterThan(0);
  });

  it('counts the bytes of pages so that they add up to the whole', async () => {
    const pages = await readJsonPages(uneven);
    const sum = pages.reduce((bytes, { result }) => bytes + result.metadata.result_set_bytes, 0);
    expect(sum).toBe(pages[0].result.metadata.total_result_set_bytes);
  });

  it('ends pages of CSV early, byte for byte as the whole', async () => {
    const whole = (await server.get(`/execution/${uneven}/results/csv`)).text;
    expect(whole.length).toBeGreaterThan(MAX_PAGE_BYTES * 5);
    let text = 'n,text\n';
    let uri: string | null = `${server.url}/api/v1/execution/${uneven}/results/csv?limit=60`;
    let count = 0;
    for (; uri; count++) {
      const { pathname, search }: URL = new URL(uri);
      const page: Answer = await server.get(`${pathname.replace('/api/v1', '')}${search}`);
      expect(page.text.length).toBeLessThanOrEqual(MAX_PAGE_BYTES + 'n,text\n'.length);
      text += page.text.slice('n,text\n'.length);
      uri = page.headers.get('x-service-next-uri');
    }
    expect(count).toBeGreaterThan(5);
    expect(text).toBe(whole);
  });

  describe('a row that is larger than a page', () => {
    let large: string;
    const error = (row: number) =>
      `The row at offset ${row} is larger than a page may be (10 kB), ask for fewer columns or for the whole result as CSV`;

    beforeAll(async () => {
      large = await server.givenResult(
        `SELECT range AS n, repeat('x', CASE WHEN range = 3 THEN 20000 ELSE 5 END) AS text FROM range(6)`,
      );
    });

    it('is a 413 that names the row, and the rows before it are a page', async () => {
      for (const call of ['results', 'results/csv']) {
        const answer = await server.get(`/execution/${large}/${call}`, { limit: 10, offset: 3 });
        expect(answer.status).toBe(413);
        expect(answer.body).toEqual({ error: error(3), code: 'row_too_large' });
      }
      const { body } = await server.get(`/execution/${large}/results`);
      expect(body.result.rows.map((row: any) => row.n)).toEqual([0, 1, 2]);
      expect(body.next_offset).toBe(3);
    });

    it('does not stand in the way of its other columns, the rows after it, or the whole as CSV', async () => {
      const columns = await server.get(`/execution/${large}/results`, { columns: 'n' });
      expect(columns.body.result.rows).toHaveLength(6);
      const after = await server.get(`/execution/${large}/results`, { offset: 4 });
      expect(after.body.result.rows).toHaveLength(2);
      const csv = await server.get(`/execution/${large}/results/csv`);
      expect(csv.text.length).toBeGreaterThan(20_000);
    });
  });

  it('is a limit of samples, too, which have no next page', async () => {
    const answer = await server.get(`/execution/${even}/results`, { sample_count: 400 });
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({
      error: 'The sample is larger than a page may be (10 kB), ask for fewer rows or columns, or for CSV',
      code: 'sample_too_large',
    });
    const csv = await server.get(`/execution/${even}/results/csv`, { sample_count: 400 });
    expect(csv.status).toBe(200);
    expect(csv.text.split('\n').length).toBeGreaterThan(300);
  });

  describe('a sample of a result that is many pages long', () => {
    const ROWS = 50_000;
    /** So few rows that their text fits, and so many that a draw of none is out of the question. */
    const COUNT = 60;
    let long: string;
    let withLargeRow: string;

    beforeAll(async () => {
      const columns = 'range AS n, range / 7 AS d, md5(range::VARCHAR) AS h, range % 2 = 0 AS even';
      long = await server.givenResult(`SELECT ${columns}, 'x' AS text FROM range(${ROWS})`);
      withLargeRow = await server.givenResult(
        `SELECT range AS n, CASE WHEN range = 7 THEN repeat('x', 1000000) ELSE 'x' END AS text FROM range(${ROWS})`,
      );
    });

    it.each<[string, () => string, Record<string, string | number>]>([
      ['of even rows', () => long, {}],
      ['of even rows, sorted', () => long, { sort_by: 'n desc' }],
      ['of even rows, with a seed', () => long, { sample_seed: 42 }],
      ['of rows of which one is larger than a page', () => withLargeRow, { sample_seed: 42 }],
      ['of a few columns', () => withLargeRow, { columns: 'n' }],
    ])('is bounded by the rows that are drawn: %s', async (_, id, query) => {
      const { status, body } = await server.get(`/execution/${id()}/results`, { sample_count: COUNT, ...query });
      expect([status, body.error]).toEqual([200, undefined]);
      const numbers = body.result.rows.map((row: any) => row.n);
      expect(numbers.length).toBeGreaterThan(COUNT / 4);
      expect(numbers.length).toBeLessThan(COUNT * 2);
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(body.result.metadata).toMatchObject({ row_count: numbers.length, total_row_count: ROWS });
      expect(body.next_offset).toBeUndefined();
      if (query.sort_by) expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => b - a));
    });

    it('has the rows of its seed, whichever way it was found to fit', async () => {
      const query = { sample_count: COUNT, sample_seed: 42, columns: 'n' };
      const csv = await server.get(`/execution/${withLargeRow}/results/csv`, query);
      const { body } = await server.get(`/execution/${withLargeRow}/results`, { ...query, columns: 'n,text' });
      expect(body.result.rows.map((row: any) => String(row.n))).toEqual(csv.text.trimEnd().split('\n').slice(1));
    });

    it('is a 413 if the rows drawn are larger than a page', async () => {
      for (const id of [long, withLargeRow]) {
        const answer = await server.get(`/execution/${id}/results`, { sample_count: ROWS - 1 });
        expect([answer.status, answer.body.code]).toEqual([413, 'sample_too_large']);
      }
    });
  });
});
