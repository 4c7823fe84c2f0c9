import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';

const ROWS = 300;
/** A NULL, an empty string and a text that is as large as a few of them fill a page. */
const TEXT = `CASE range % 3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE repeat('x', 300) END`;
const LINES = Array.from({ length: ROWS }, (_, n) => (n % 3 === 2 ? 'x'.repeat(300) : '""'));
const WITH_NULL = Array.from({ length: ROWS }, (_, n) => (n % 3 === 0 ? 'NULL' : (LINES[n] ?? '')));

describe('NULL in CSV', () => {
  let server: TestServer;
  let id: string;
  let query: number;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', MAX_PAGE_BYTES: '10000' });
    query = await server.givenQuery(`SELECT ${TEXT} AS v, range AS n FROM range(${ROWS})`);
    id = await server.givenExecution(query);
  });
  afterAll(() => stopWithoutLeaks(server));

  const read = (parameters: Record<string, string | number>, path = `/execution/${id}`) =>
    server.get(`${path}/results/csv`, parameters);

  /** The lines of all pages, each without its header line. */
  async function readPages(parameters: Record<string, string | number>, path?: string): Promise<string[]> {
    const lines: string[] = [];
    for (let answer = await read(parameters, path); ; ) {
      lines.push(...answer.text.trimEnd().split('\n').slice(1));
      const next = answer.headers.get('x-service-next-uri');
      if (!next) return lines;
      answer = await read(Object.fromEntries(new URL(next).searchParams));
    }
  }

  describe('of one column', () => {
    it.each([
      ['the whole result', { columns: 'v' }],
      ['the whole result, filtered and sorted', { columns: 'v', filters: 'n >= 0', sort_by: 'n' }],
      ['pages', { columns: 'v', limit: 7 }],
      ['pages that end early because of their size', { columns: 'v', limit: 1000 }],
      ['a sample', { columns: 'v', sample_count: 1000 }],
    ])('is `""`, or the text of csv_null: %s', async (_, parameters) => {
      expect(await readPages(parameters)).toEqual(LINES);
      expect(await readPages({ ...parameters, csv_null: 'NULL' })).toEqual(WITH_NULL);
    });
  });

  it('of several columns is an empty field, or the text of csv_null', async () => {
    const rows = { filters: 'n <= 1' };
    expect((await read(rows)).text).toBe('v,n\n,0\n"",1\n');
    expect((await read({ ...rows, csv_null: '\\N' })).text).toBe('v,n\n\\N,0\n"",1\n');
    expect((await read({ ...rows, csv_null: '0', limit: 9 })).text).toBe('v,n\n0,"0"\n"",1\n');
    expect((await read({ ...rows, csv_null: '' })).text).toBe('v,n\n,0\n"",1\n');
  });

  it('keeps the text of csv_null from page to page, also of the latest result', async () => {
    expect(await readPages({ columns: 'v', limit: 40, csv_null: 'NULL' }, `/query/${query}`)).toEqual(WITH_NULL);
  });

  it.each([',', 'a,b', '"', 'a\nb', '\r', '\t', '\0', ' ', ' a', 'a ', 'x'.repeat(33)])(
    'cannot be written as %j',
    async (text) => {
      const answer = await read({ csv_null: text });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        error:
          'csv_null: must be at most 32 characters, without commas, double quotes, control characters, and white space at its ends',
        code: 'invalid_csv_null',
      });
    },
  );
});
