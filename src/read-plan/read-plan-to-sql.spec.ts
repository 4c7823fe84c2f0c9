import { describe, expect, it } from '@jest/globals';
import { StoredResult } from '../../test/support/stored-result.js';

/** The stored result of a query, in several row groups. */
const store = (query: string) => StoredResult.of(query, 2048);

const firsts = (rows: readonly (readonly unknown[])[]) => rows.map(([first]) => Number(first));

describe('readPlanToSql', () => {
  it('reads a page in stored order as a range of row numbers', async () => {
    const result = await store('SELECT range AS n, n % 3 AS m FROM range(10000)');
    const { text, values } = result.toSql({ limit: '3', offset: '5000' });
    expect(text).toMatch(
      /^SELECT "n", "m" FROM read_parquet\('.*'\) WHERE file_row_number >= CAST\(\? AS BIGINT\) AND file_row_number < CAST\(\? AS BIGINT\)$/,
    );
    expect(values).toEqual(['5000', '5003']);
    expect(firsts(await result.read({ limit: '3', offset: '5000' }))).toEqual([5000, 5001, 5002]);
    expect(await result.read({ limit: '10', offset: '9999' })).toHaveLength(1);
    expect(await result.read({ limit: '10', offset: '9'.repeat(30) })).toEqual([]);
    expect(await result.read({ limit: '0' })).toEqual([]);
    expect(await result.read({}, 100)).toHaveLength(100);
    expect(await result.read({ format: 'csv', offset: '10' }, 100)).toHaveLength(9990);
  });

  it('gives one row more than asked where a filter or an order leaves open what follows', async () => {
    const result = await store('SELECT range AS n FROM range(10)');
    expect(firsts(await result.read({ filters: 'n > 5', limit: '2' }))).toEqual([6, 7, 8]);
    expect(firsts(await result.read({ filters: 'n > 5', limit: '2', offset: '2' }))).toEqual([8, 9]);
    expect(firsts(await result.read({ sortBy: 'n desc', limit: '2' }))).toEqual([9, 8, 7]);
    expect(await result.read({ filters: 'n > 5', limit: '0' })).toEqual([]);
    expect(await result.read({ filters: 'n > 5', offset: '9'.repeat(30) })).toEqual([]);
    expect(firsts(await result.read({ filters: 'n > 5', format: 'csv', offset: '1' }))).toEqual([7, 8, 9]);
  });

  it('keeps stored order among equal sort keys and in what a filter leaves', async () => {
    const result = await store('SELECT (range * 7919) % 10000 AS n, range % 3 AS m FROM range(10000)');
    const stored = await result.read({});
    const tied = stored.filter(([, m]) => Number(m) === 2).map(([n]) => Number(n));
    expect(firsts(await result.read({ sortBy: 'm desc' })).slice(0, tied.length)).toEqual(tied);
    expect(firsts(await result.read({ filters: 'm = 2' }))).toEqual(tied);
  });

  it('sorts as many rows as a page may have, from any offset, as few rows at a time', async () => {
    const result = await store(
      'SELECT range AS n, (range * 7919) % 97 AS m, range AS file_row_number FROM range(20000)',
    );
    const request = { columns: 'n', sortBy: 'm desc', filters: 'n <> 5' };
    const pages: number[] = [];
    for (let offset = 0; offset < 20_000; offset += 500)
      pages.push(...firsts(await result.read({ ...request, limit: '500', offset: String(offset) })).slice(0, 500));
    expect(pages).toHaveLength(19_999);
    expect(firsts(await result.read({ ...request, limit: '19999' }))).toEqual(pages);
    expect(firsts(await result.read({ ...request, limit: '9000', offset: '4321' }))).toEqual(pages.slice(4321, 13_322));
  });

  it('filters and sorts by columns that are not selected', async () => {
    const result = await store(`SELECT range AS n, 10 - range AS "odd ""name" FROM range(10)`);
    const read = await result.read({ columns: 'n', filters: '"odd ""name" < 4', sortBy: '"odd \\"name"' });
    expect(read).toEqual([['9'], ['8'], ['7']]);
  });

  it('selects columns in the order asked', async () => {
    const result = await store(`SELECT 1 AS a, 'x' AS b, 3 AS c`);
    expect(await result.read({ columns: 'c,a' })).toEqual([[3, 1]]);
  });

  it.each(['file_row_number', 'FILE_ROW_NUMBER'])('keeps a column named %s apart from the row number', async (name) => {
    const result = await store(
      `SELECT range AS n, 10 - range AS ${name}, 'x' AS "column_0", 1 AS file_row_number_ FROM range(10)`,
    );
    expect(await result.read({ limit: '2', offset: '4' })).toEqual([
      ['4', '6', 'x', 1],
      ['5', '5', 'x', 1],
    ]);
    expect(await result.read({ filters: `${name} = 3`, columns: `${name},n` })).toEqual([['3', '7']]);
    expect(firsts(await result.read({ sortBy: 'column_0', limit: '2' }))).toEqual([0, 1, 2]);
    expect(await result.read({ sampleCount: '5', sampleSeed: '1' })).not.toHaveLength(10);
  });

  it('reads columns of any name', async () => {
    const names = [
      'say "hi"',
      'C:\\',
      '; DROP TABLE x --',
      '?',
      '$1',
      "it's",
      ' ',
      'NOT',
      'select',
      'größe',
      '🎉',
      'a,b',
    ];
    const quoted = names.map((name) => `"${name.replaceAll('"', '""')}"`);
    const query = `SELECT range AS n, ${quoted.map((name, index) => `range + ${index} AS ${name}`).join(', ')} FROM range(3)`;
    const result = await store(query);
    for (const [index, written] of quoted.entries()) {
      const name = written.replace('\\"', '\\\\"');
      const request = { filters: `${name} >= ${index + 1}`, sortBy: `${name} desc`, columns: `${name},n` };
      expect(await result.read(request)).toEqual([
        [String(index + 2), '2'],
        [String(index + 1), '1'],
      ]);
    }
  });

  it('matches patterns with % and _, a backslash being an ordinary character', async () => {
    const result = await store(`SELECT unnest(['a%b', 'axb', 'a\\b', 'Éa', 'STRASSE', NULL]) AS s`);
    const matching = async (filters: string) => (await result.read({ filters })).map(([s]) => s);
    expect(await matching(`s LIKE 'a_b'`)).toEqual(['a%b', 'axb', 'a\\b']);
    expect(await matching(`s LIKE 'a%'`)).toEqual(['a%b', 'axb', 'a\\b']);
    expect(await matching(`s LIKE 'a\\b'`)).toEqual(['a\\b']);
    expect(await matching(`s LIKE 'a\\%'`)).toEqual(['a\\b']);
    expect(await matching(`s LIKE 'x\\'`)).toEqual([]);
    expect(await matching(`s ILIKE 'é_'`)).toEqual(['Éa']);
    expect(await matching(`s ILIKE 'strasse'`)).toEqual(['STRASSE']);
    expect(await matching(`s LIKE ''`)).toEqual([]);
  });

  it('takes as large a filter as the limits allow', async () => {
    const result = await store('SELECT range AS n FROM range(10)');
    const wide = Array.from({ length: 1500 }, (_, n) => `n=${n}`).join(' OR ');
    expect(await result.read({ filters: wide })).toHaveLength(10);
    const deep = `${'(n > 0 OR '.repeat(64)}n = 0${')'.repeat(64)}`;
    expect(await result.read({ filters: deep })).toHaveLength(10);
    const list = `n IN (${Array.from({ length: 1000 }, (_, n) => n + 5).join(',')})`;
    expect(await result.read({ filters: list })).toHaveLength(5);
  });
});

describe('readPlanToSql with a sample', () => {
  const TOTAL = 100_000;
  const query = `SELECT range AS n FROM range(${TOTAL})`;

  it('takes each row with the probability that gives about as many as asked', async () => {
    const result = await store(query);
    const samples = await Promise.all(
      [{}, { sampleSeed: '1' }, { sampleSeed: '2' }].map((seed) => result.read({ sampleCount: '10000', ...seed })),
    );
    for (const sample of samples) {
      // Six standard deviations of a binomial distribution are 570 rows.
      expect(Math.abs(sample.length - 10_000)).toBeLessThan(570);
      const perTenth = Map.groupBy(firsts(sample), (n) => Math.floor((n * 10) / TOTAL));
      expect(perTenth.size).toBe(10);
      for (const tenth of perTenth.values()) expect(Math.abs(tenth.length - 1000)).toBeLessThan(180);
    }
  });

  it('gives the same rows for a seed, and independent ones for another', async () => {
    const result = await store(query);
    const sample = async (sampleSeed: string) => firsts(await result.read({ sampleCount: '50000', sampleSeed }));
    const [first, again, other] = [await sample('7'), await sample('7'), new Set(await sample('8'))];
    expect(again).toEqual(first);
    const shared = first.filter((n) => other.has(n)).length;
    // Two independent halves share a quarter of all rows, +- six standard deviations.
    expect(Math.abs(shared - TOTAL / 4)).toBeLessThan(822);
  });

  it('gives different rows without a seed', async () => {
    const result = await store(query);
    expect(await result.read({ sampleCount: '1000' })).not.toEqual(await result.read({ sampleCount: '1000' }));
  });

  it('gives the whole result when that has no more rows than asked, and none when none are asked', async () => {
    const result = await store('SELECT range AS n FROM range(50)');
    expect(await result.read({ sampleCount: '50' }, 10)).toHaveLength(50);
    expect(await result.read({ sampleCount: '9'.repeat(30), sortBy: 'n desc' }, 10)).toHaveLength(50);
    expect(await result.read({ sampleCount: '0' })).toEqual([]);
    expect(await result.read({ sampleCount: '0', sampleSeed: '1' })).toEqual([]);
  });

  it('sorts a sample', async () => {
    const result = await store(query);
    const sample = firsts(await result.read({ sampleCount: '1000', sortBy: 'n desc', columns: 'n' }));
    expect(sample).toEqual([...sample].sort((a, b) => b - a));
    expect(sample.length).toBeGreaterThan(700);
  });
});
