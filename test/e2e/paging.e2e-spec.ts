import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/api-client.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { sendRaw } from '../support/raw-request.js';
import { TestServer } from '../support/server.js';

const ROWS = 250;
const SQL = `
  SELECT range AS n, range % 7 AS "group", CASE WHEN range % 5 <> 0 THEN 'a&b=ü ' || range % 3 END AS "naïve name"
  FROM range(${ROWS})`;

describe('paging', () => {
  let server: TestServer;
  let id: string;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', MAX_PAGE_ROWS: '100' });
    id = await server.givenResult(SQL);
  });
  afterAll(() => stopWithoutLeaks(server));

  const read = (query: Record<string, string | number | string[]>) => server.get(`/execution/${id}/results`, query);
  const readCsv = (query: Record<string, string | number | string[]>) =>
    server.get(`/execution/${id}/results/csv`, query);
  const follow = async (uri: string): Promise<Answer> => {
    const response = await fetch(uri, { headers: { 'x-service-api-key': server.key } });
    const text = await response.text();
    const body = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, body };
  };

  /** Reads all pages, by the next values of each. */
  async function readPages(query: Record<string, string | number>): Promise<any[]> {
    const pages = [(await read(query)).body];
    for (let page = pages[0]; page.next_uri; page = pages.at(-1)) {
      expect(new URL(page.next_uri).searchParams.get('offset')).toBe(String(page.next_offset));
      pages.push((await follow(page.next_uri)).body);
    }
    return pages;
  }

  describe('limit and offset', () => {
    it('select rows in stored order', async () => {
      const { body } = await read({ limit: 3, offset: 10, columns: 'n' });
      expect(body.result.rows).toEqual([{ n: 10 }, { n: 11 }, { n: 12 }]);
      expect(body.next_offset).toBe(13);
    });

    it('are lowered to what the server allows, with right next values', async () => {
      const { body } = await read({ limit: 500_000 });
      expect(body.result.metadata.row_count).toBe(100);
      expect(body.next_offset).toBe(100);
      expect(new URL(body.next_uri).searchParams.get('limit')).toBe('100');
    });

    it('give as many rows as a page may have where limit is absent', async () => {
      const { body } = await read({});
      expect(body.result.rows).toHaveLength(100);
      expect(body.next_offset).toBe(100);
      expect(new URL(body.next_uri).searchParams.get('limit')).toBe('100');
    });

    it('give metadata alone for limit 0, and no next page', async () => {
      const { body } = await read({ limit: 0 });
      expect(body.result.rows).toEqual([]);
      expect(body.result.metadata).toMatchObject({
        row_count: 0,
        total_row_count: ROWS,
        datapoint_count: 0,
        result_set_bytes: 0,
      });
      expect(body).not.toHaveProperty('next_uri');
      expect(body).not.toHaveProperty('next_offset');
    });

    it.each([ROWS, ROWS + 1, 1_000_000, '99999999999999999999'])('give no rows past the end, at %s', async (offset) => {
      const { status, body } = await read({ limit: 10, offset });
      expect(status).toBe(200);
      expect(body.result.rows).toEqual([]);
      expect(body.result.metadata).toMatchObject({ row_count: 0, total_row_count: ROWS });
      expect(body).not.toHaveProperty('next_uri');
      expect(body).not.toHaveProperty('next_offset');
    });

    it('end without a next page at the last row', async () => {
      const { body } = await read({ limit: 50, offset: 200 });
      expect(body.result.metadata.row_count).toBe(50);
      expect(body).not.toHaveProperty('next_uri');
      expect(body).not.toHaveProperty('next_offset');
    });

    it.each([
      ['limit', '-1'],
      ['limit', 'x'],
      ['limit', '1.5'],
      ['offset', '-1'],
      ['offset', '1e3'],
    ])('are refused as %s=%s', async (name, value) => {
      const answer = await read({ [name]: value });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error: `${name}: must be a whole number of at least 0, got '${value}'`,
        code: 'invalid_page',
      });
    });

    it('count as absent where they are empty', async () => {
      expect((await read({ limit: '', offset: '' })).body.result.metadata.row_count).toBe(100);
    });
  });

  describe('pages of JSON', () => {
    it.each<[string, Record<string, string | number>]>([
      ['plain', { limit: 70 }],
      ['with columns', { limit: 99, columns: '"naïve name",n' }],
      ['filtered', { limit: 30, filters: `"naïve name" = 'a&b=ü 1' OR "naïve name" IS NULL` }],
      ['filtered to a whole number of pages', { limit: 50, filters: 'n < 100' }],
      ['sorted with ties and nulls', { limit: 60, sort_by: '"naïve name" desc,group' }],
      ['sorted and filtered', { limit: 20, sort_by: 'group desc', filters: 'n >= 100 AND "group" IN (1, 2, 3)' }],
    ])('add up to the whole: %s', async (_, query) => {
      const pages = await readPages(query);
      const { limit: _limit, ...rest } = query;
      const whole = await readPages(rest);
      const rowsOf = (bodies: any[]) => bodies.flatMap((body) => body.result.rows);
      expect(rowsOf(pages)).toEqual(rowsOf(whole));
      expect(rowsOf(pages).length).toBeGreaterThan(Number(query.limit));
      expect(pages.slice(0, -1).every((body) => body.result.metadata.row_count === query.limit)).toBe(true);
      expect(pages.at(-1).result.metadata.row_count).toBeGreaterThan(0);
    });

    it('keep ties in stored order, with nulls last in both directions', async () => {
      const sorted = async (direction: string) =>
        (await readPages({ limit: 100, sort_by: `"naïve name" ${direction}` })).flatMap((body) => body.result.rows);
      const plain = (await readPages({ limit: 100 })).flatMap((body) => body.result.rows);
      const nulls = plain.filter((row) => row['naïve name'] === null);
      const of = (name: string) => plain.filter((row) => row['naïve name'] === name);
      const [a, b, c] = ['a&b=ü 0', 'a&b=ü 1', 'a&b=ü 2'].map(of);
      expect(await sorted('asc')).toEqual([a, b, c, nulls].flat());
      expect(await sorted('desc')).toEqual([c, b, a, nulls].flat());
    });
  });

  describe('pages of CSV', () => {
    it('carry their next values in headers, and add up to the whole byte for byte', async () => {
      const query = {
        filters: `"naïve name" = 'a&b=ü 1' OR n > 100`,
        sort_by: 'group desc',
        columns: 'n,"naïve name"',
      };
      const whole = await readCsv(query);
      expect(whole.headers.get('x-service-next-uri')).toBeNull();
      expect(whole.headers.get('x-service-next-offset')).toBeNull();
      const texts: string[] = [];
      let page = await readCsv({ ...query, limit: 40 });
      for (;;) {
        texts.push(page.text);
        const uri = page.headers.get('x-service-next-uri');
        if (!uri) break;
        expect(page.headers.get('x-service-next-offset')).toBe(String(texts.length * 40));
        page = await follow(uri);
      }
      expect(texts.length).toBeGreaterThan(3);
      const [header] = whole.text.split('\n');
      expect(texts.every((text) => text.startsWith(`${header}\n`))).toBe(true);
      expect(`${header}\n${texts.map((text) => text.slice(`${header}\n`.length)).join('')}`).toBe(whole.text);
    });

    it('have no limit where none is asked for', async () => {
      const { text } = await readCsv({});
      expect(text.split('\n')).toHaveLength(ROWS + 2);
    });

    it('begin at an offset without a limit', async () => {
      const { text } = await readCsv({ offset: 248, columns: 'n' });
      expect(text).toBe('n\n248\n249\n');
    });

    it('have a header line alone past the end, and for limit 0', async () => {
      expect((await readCsv({ offset: 1_000 })).text).toBe('n,group,naïve name\n');
      expect((await readCsv({ limit: 10, offset: 1_000 })).text).toBe('n,group,naïve name\n');
      const empty = await readCsv({ limit: 0 });
      expect(empty.text).toBe('n,group,naïve name\n');
      expect(empty.headers.get('x-service-next-uri')).toBeNull();
    });

    it('keep to the largest page where a limit is asked for', async () => {
      const answer = await readCsv({ limit: 1_000, columns: 'n' });
      expect(answer.text.split('\n')).toHaveLength(102);
      expect(answer.headers.get('x-service-next-offset')).toBe('100');
    });
  });

  describe('next_uri', () => {
    it('repeats what the caller asked, with the lowered limit and without the key', async () => {
      const query = {
        api_key: server.key,
        limit: 5_000,
        filters: `"naïve name" <> 'x&y=ü + %'`,
        columns: 'n,"naïve name"',
        sort_by: 'n desc',
        allow_partial_results: 'true',
        'params.country': ['FR', 'DE & AT'],
        unknown: 'kept or not, it means nothing',
      };
      const { body } = await server.get(`/execution/${id}/results`, query, '');
      const uri = new URL(body.next_uri);
      expect(uri.origin).toBe(server.url);
      expect(uri.pathname).toBe(`/api/v1/execution/${id}/results`);
      expect(uri.searchParams.get('limit')).toBe('100');
      expect(uri.searchParams.get('offset')).toBe('100');
      for (const name of ['filters', 'columns', 'sort_by', 'allow_partial_results'] as const) {
        expect(uri.searchParams.get(name)).toBe(query[name]);
      }
      expect(uri.searchParams.getAll('params.country')).toEqual(['FR', 'DE & AT']);
      expect(body.next_uri).not.toContain(server.key);
      expect(uri.searchParams.has('api_key')).toBe(false);
    });

    it('keeps the spelling allows_partial_results, too', async () => {
      const { body } = await read({ limit: 1, allows_partial_results: 'true' });
      expect(new URL(body.next_uri).searchParams.get('allows_partial_results')).toBe('true');
    });

    it('starts with the host that the caller named, and takes no forwarded header', async () => {
      const { text } = await sendRaw(server.url, [
        `GET /api/v1/execution/${id}/results?limit=1 HTTP/1.0`,
        'Host: sql.example.org:8443',
        `X-Service-Api-Key: ${server.key}`,
        'X-Forwarded-Host: evil.example.org',
        'X-Forwarded-Proto: https',
        'X-Forwarded-For: 10.0.0.1',
      ]);
      expect(new URL(JSON.parse(text).next_uri).origin).toBe('http://sql.example.org:8443');
    });
  });
});

describe('paging behind a proxy', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', TRUST_PROXY: '127.0.0.1', HEADER_BRANDS: 'service,acme' });
  });
  afterAll(() => stopWithoutLeaks(server));

  it('starts next_uri with the origin that a trusted proxy tells, in the headers of every brand', async () => {
    const id = await server.givenResult('FROM range(3)');
    const forwarded = { 'x-forwarded-host': 'sql.example.org', 'x-forwarded-proto': 'https' };
    const options = { query: { limit: 2 }, headers: forwarded };
    const json = await server.send('GET', `/execution/${id}/results`, options);
    const uri = `https://sql.example.org/api/v1/execution/${id}/results`;
    expect(json.body.next_uri).toBe(`${uri}?limit=2&offset=2`);
    const csv = await server.send('GET', `/execution/${id}/results/csv`, options);
    for (const brand of ['service', 'acme']) {
      expect(csv.headers.get(`x-${brand}-next-offset`)).toBe('2');
      expect(csv.headers.get(`x-${brand}-next-uri`)).toBe(`${uri}/csv?limit=2&offset=2`);
    }
  });
});

describe('paging with PUBLIC_URL', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', TRUST_PROXY: '127.0.0.1', PUBLIC_URL: 'https://sql.example.org' });
  });
  afterAll(() => stopWithoutLeaks(server));

  it('starts next_uri with it, whatever the request says', async () => {
    const id = await server.givenResult('FROM range(3)');
    const headers = { 'x-forwarded-host': 'other.example.org', 'x-forwarded-proto': 'http' };
    const { body } = await server.send('GET', `/execution/${id}/results`, { query: { limit: 2 }, headers });
    expect(body.next_uri).toBe(`https://sql.example.org/api/v1/execution/${id}/results?limit=2&offset=2`);
  });
});
