import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';

/** Two row groups and a part of one, many times what the engine's threads work at in one go. */
const ROWS = 300_000;
/** The engine's threads race, so that one answer in order proves little. */
const ROUNDS = 2;

const PAGES: readonly [what: string, limit: number, offset: number][] = [
  ['from the start', 30_000, 0],
  ['in one row group', 30_000, 60_000],
  ['across two row groups', 30_000, 110_000],
  ['of a few rows across two row groups', 100, 122_830],
  ['across all row groups', 150_000, 110_000],
  ['to the end', 30_000, ROWS - 20_000],
];

describe('the order of rows', () => {
  let server: TestServer;
  let id: string;

  beforeAll(async () => {
    server = await TestServer.start({
      WORKERS: '1',
      READER_THREADS: '4',
      MAX_PAGE_ROWS: '250000',
      MAX_PAGE_BYTES: '8MB',
    });
    id = await server.givenResult(
      `SELECT range AS n, range % 2 = 0 AS even, md5(range::VARCHAR) AS text FROM range(${ROWS})`,
    );
  });
  afterAll(() => stopWithoutLeaks(server));

  type Query = Record<string, string | number>;

  async function numbersOfJson(query: Query): Promise<number[]> {
    const { body } = await server.get(`/execution/${id}/results`, { columns: 'n', ...query });
    return body.result.rows.map(({ n }: { n: number }) => n);
  }

  async function numbersOfCsv(query: Query): Promise<number[]> {
    const { text } = await server.get(`/execution/${id}/results/csv`, { columns: 'n', ...query });
    return text.trimEnd().split('\n').slice(1).map(Number);
  }

  /** Whole numbers from `first`, each by `step` more than the one before. */
  function sequence(count: number, first: number, step = 1): number[] {
    return Array.from({ length: count }, (_, index) => first + index * step);
  }

  async function expectEachTime(numbers: () => Promise<number[]>, expected: number[]): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) expectSame(await numbers(), expected);
  }

  /** A difference in arrays of so many rows would be printed for minutes. */
  function expectSame(actual: number[], expected: number[]): void {
    const different = expected.findIndex((number, index) => actual[index] !== number);
    expect({ length: actual.length, different, found: actual[different] }).toEqual({
      length: expected.length,
      different: -1,
      found: undefined,
    });
  }

  for (const [format, numbersOf] of [
    ['JSON', numbersOfJson],
    ['CSV', numbersOfCsv],
  ] as const) {
    describe(`in ${format}`, () => {
      it.each(PAGES)('is the stored one on a page %s', async (_, limit, offset) => {
        const count = Math.min(limit, ROWS - offset);
        await expectEachTime(() => numbersOf({ limit, offset }), sequence(count, offset));
      });

      it('is the stored one on a filtered page', async () => {
        const query = { limit: 60_000, offset: 55_000, filters: 'even = true' };
        await expectEachTime(() => numbersOf(query), sequence(60_000, 110_000, 2));
      });

      it('is that of the keys on a sorted page', async () => {
        const query = { limit: 60_000, offset: 200_000, sort_by: 'n desc' };
        await expectEachTime(() => numbersOf(query), sequence(60_000, ROWS - 1 - 200_000, -1));
      });

      it('is the stored one in a sample', async () => {
        const numbers = await numbersOf({ sample_count: 50_000, sample_seed: 7 });
        expect(numbers.length).toBeGreaterThan(40_000);
        expectSame(
          numbers,
          [...numbers].sort((a, b) => a - b),
        );
      });
    });
  }

  it('is the stored one on a page that is cut by its bytes', async () => {
    const numbers = await numbersOfJson({ columns: 'n,text', limit: 200_000, offset: 50_000 });
    expect(numbers.length).toBeGreaterThan(100_000);
    expect(numbers.length).toBeLessThan(180_000);
    expectSame(numbers, sequence(numbers.length, 50_000));
  });

  it.each<[string, Query, number[]]>([
    ['all of it', {}, sequence(ROWS, 0)],
    ['from an offset', { offset: 100_000 }, sequence(ROWS - 100_000, 100_000)],
    ['filtered', { filters: 'even = false' }, sequence(ROWS / 2, 1, 2)],
    ['sorted', { sort_by: 'n desc' }, sequence(ROWS, ROWS - 1, -1)],
  ])('is kept in a whole CSV: %s', async (_, query, expected) => {
    await expectEachTime(() => numbersOfCsv(query), expected);
  });
});

describe('sorting in little memory', () => {
  const rows = 3_000_000;
  let server: TestServer;
  let id: string;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', READER_MEMORY: '80MB', READER_THREADS: '2' });
    id = await server.givenResult(`SELECT range AS n, md5(range::VARCHAR) AS text FROM range(${rows})`);
  });
  afterAll(() => stopWithoutLeaks(server));

  it('gives pages of any size, wherever they begin', async () => {
    for (const offset of [0, rows / 2]) {
      const { body } = await server.get(`/execution/${id}/results`, { limit: 30_000, offset, sort_by: 'n desc' });
      const numbers = body.result.rows.map(({ n }: { n: number }) => n);
      expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([30_000, rows - 1 - offset, rows - 30_000 - offset]);
    }
  });

  it('is refused for a whole result that it is too little for', async () => {
    const { status, body } = await server.get(`/execution/${id}/results/csv`, { sort_by: 'text' });
    expect(status).toBe(413);
    expect(body).toEqual({
      error:
        'Reading this takes more memory than the service may use for it (READER_MEMORY), ask for fewer rows or columns, or without sort_by',
      code: 'read_too_heavy',
    });
  });
});
