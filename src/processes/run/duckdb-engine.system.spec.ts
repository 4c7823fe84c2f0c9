import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, open, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MEDIUM } from '../../../test/support/engine/medium-class.js';
import { hasResultFile } from '../../../test/support/engine/result-file.js';
import { givenSampleTables, type SampleTables } from '../../../test/support/engine/sample-tables.js';
import { until } from '../../../test/support/until.js';
import { Database, type Row } from '../../duckdb/connection/connection.js';
import { quoted, type Sql, sql } from '../../duckdb/sql.js';
import { DuckDbEngine, type RunClass } from './duckdb-engine.js';
import type { EngineRun, RunOutcome, RunRequest, RunResult } from './run.js';

/** A join that takes minutes, and stops when it is interrupted. */
const BUSY = 'SELECT count(*) FROM range(10000000) a, range(1000000) b WHERE a.range % 7 = b.range % 11';

let folder: string;
let samples: SampleTables;
let engine: DuckDbEngine;
let database: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eider-engine-'));
  samples = await givenSampleTables(folder);
  database = await Database.open();
  const large = { ...MEDIUM, timeoutMs: 700, readyChildren: 0 };
  engine = new DuckDbEngine({
    runsFolder: join(folder, 'runs'),
    runsPerChild: 100,
    classes: { medium: MEDIUM, large },
  });
  await engine.open();
});

afterAll(async () => {
  await engine.close();
  database.close();
  await rm(folder, { recursive: true });
});

/** Ids of the processes that work in a folder or below it. */
function processesIn(path: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readlinkSync(`/proc/${name}/cwd`).startsWith(path);
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

/** An engine that a test closes itself. */
async function openAnother(name: string, different: Partial<RunClass> = {}): Promise<DuckDbEngine> {
  const classes = { medium: { ...MEDIUM, ...different }, large: { ...MEDIUM, readyChildren: 0 } };
  const another = new DuckDbEngine({ runsFolder: join(folder, name), runsPerChild: 100, classes });
  await another.open();
  return another;
}

function start(text: string, request: Partial<RunRequest> = {}, by = engine): EngineRun {
  const { resolveTables } = samples;
  return by.start({ executionId: 'run', sql: text, resourceClass: 'medium', resolveTables, ...request });
}

async function outcomeOf(text: string, request: Partial<RunRequest> = {}): Promise<RunOutcome> {
  const run = start(text, request);
  const outcome = await run.outcome;
  await run.dispose();
  return outcome;
}

async function failureOf(text: string, request: Partial<RunRequest> = {}) {
  const outcome = await outcomeOf(text, request);
  if (outcome.kind !== 'failed') throw new Error(`Ended as ${JSON.stringify(outcome)}`);
  return outcome.failure;
}

/** The result of a run and what `query` reads from its file; `r` is the file. */
async function resultOf(
  text: string,
  query: Sql,
  request: Partial<RunRequest> = {},
): Promise<RunResult & { rows: Row[] }> {
  const run = start(text, request);
  const outcome = await run.outcome;
  if (outcome.kind !== 'completed') throw new Error(`Ended as ${JSON.stringify(outcome)}`);
  const connection = await database.connect();
  const rows = await connection.rows(sql`WITH r AS (SELECT * FROM read_parquet(${quoted(outcome.path)})) ${query}`);
  connection.close();
  await run.dispose();
  return { ...outcome, ...outcome.result, rows };
}

describe('a completed run', () => {
  it('stores the rows in order and tells their columns and sizes', async () => {
    const result = await resultOf(
      "SELECT id, 'ü' AS t, NULLIF(id, 2) AS n FROM range(3) r(id) ORDER BY id DESC",
      sql`FROM r`,
    );
    expect(result.rows).toEqual([
      ['2', 'ü', null],
      ['1', 'ü', '1'],
      ['0', 'ü', '0'],
    ]);
    const bigint = { type: { kind: 'scalar', name: 'BIGINT' }, storedAs: 'same', isSafeInteger: true };
    expect(result.columns).toEqual([
      { ...bigint, name: 'id', range: { min: '0', max: '2' } },
      { name: 't', type: { kind: 'scalar', name: 'VARCHAR' }, storedAs: 'same', isSafeInteger: false },
      { ...bigint, name: 'n', range: { min: '0', max: '1' } },
    ]);
    expect(result).toMatchObject({ rowCount: 3, logicalBytes: 3 * 10 + 2 * 8, maxRowBytes: 18, isTruncated: false });
  });

  it('keeps 128-bit integers exactly, also those beyond a decimal', async () => {
    const { columns, rows } = await resultOf('SELECT sum(i) s FROM range(10) t(i)', sql`SELECT s FROM r`);
    expect(columns).toMatchObject([{ name: 's', type: { name: 'HUGEINT' }, storedAs: 'decimal', isSafeInteger: true }]);
    expect(rows).toEqual([['45']]);
    const huge = await resultOf('SELECT 170141183460469231731687303715884105727::HUGEINT h', sql`SELECT h FROM r`);
    expect(huge.columns).toMatchObject([{ storedAs: 'text', isSafeInteger: false }]);
    expect(huge.rows).toEqual([['170141183460469231731687303715884105727']]);
  });

  it('judges each 128-bit column by its own values, beside one that is beyond a decimal', async () => {
    const wide = '(170141183460469231731687303715884105727::HUGEINT, 5::HUGEINT, 7::UHUGEINT, NULL::HUGEINT)';
    const { columns, rows } = await resultOf(`SELECT * FROM (VALUES ${wide}) t(a, b, c, d)`, sql`FROM r`);
    expect(columns.map(({ isSafeInteger }) => isSafeInteger)).toEqual([false, true, true, true]);
    expect(rows).toEqual([['170141183460469231731687303715884105727', '5', '7', null]]);
  });

  it('tells that integers are not safe when one lies beyond 2^53 - 1', async () => {
    const { columns } = await resultOf('SELECT 9007199254740991 a, -9007199254740992 b', sql`FROM r`);
    expect(columns.map(({ isSafeInteger }) => isSafeInteger)).toEqual([true, false]);
  });

  it('tells the range of 64- and 128-bit integers, however they are stored', async () => {
    const text = `SELECT unnest([-3, 9007199254740993]) a,
      unnest(['-170141183460469231731687303715884105728', '7']::HUGEINT[]) b,
      unnest(['0', '340282366920938463463374607431768211455']::UHUGEINT[]) c,
      unnest(['1', '20']::UBIGINT[]) d, NULL::BIGINT e, 1::INTEGER f, 'x' g`;
    const { columns } = await resultOf(text, sql`FROM r`);
    expect(columns.map(({ range }) => range)).toEqual([
      { min: '-3', max: '9007199254740993' },
      { min: '-170141183460469231731687303715884105728', max: '7' },
      { min: '0', max: '340282366920938463463374607431768211455' },
      { min: '1', max: '20' },
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('gives the columns names that are unique and not empty', async () => {
    const { columns } = await resultOf('SELECT 1 AS id, 2 AS ID, 3 AS "id"', sql`FROM r`);
    expect(columns.map(({ name }) => name)).toEqual(['id', 'ID_1', 'id_2']);
  });

  it('stores an empty result', async () => {
    const result = await resultOf('SELECT 1 AS a, NULL AS b WHERE false', sql`FROM r`);
    expect(result).toMatchObject({ rows: [], rowCount: 0, logicalBytes: 0, maxRowBytes: 0 });
  });

  it('binds parameters as values', async () => {
    const parameters = { name: "'; drop table orders; --", most: '3', unused: 'x' };
    const text = 'SELECT $name AS v, id FROM orders WHERE id < $most ORDER BY id LIMIT 1';
    expect((await resultOf(text, sql`FROM r`, { parameters })).rows).toEqual([["'; drop table orders; --", '0']]);
  });
});

const TEXT = { layout: { delimiter: ',', hasHeader: true }, givenColumns: [], forms: [], files: [] };

describe('the tables of a run', () => {
  it('are found by their bare and their full names, in any case', async () => {
    const text = 'SELECT count(*) c FROM Orders o JOIN acme."ORDERS" p USING (id)';
    expect((await resultOf(text, sql`SELECT c FROM r`)).rows).toEqual([['100000']]);
  });

  it('are read as one when they have several parts', async () => {
    const [orders] = samples.tables;
    const [part = ''] = orders?.parts ?? [];
    const resolveTables = async () => [
      { name: 'events', namespace: 'acme', parts: [part, part], isBareName: true, isPrivate: false },
    ];
    expect((await resultOf('SELECT count(*) c FROM events', sql`SELECT c FROM r`, { resolveTables })).rows).toEqual([
      ['200000'],
    ]);
  });

  it('make a result private when one of them is', async () => {
    expect(await resultOf('SELECT count(*) FROM orders', sql`FROM r`)).toMatchObject({ readPrivateTable: false });
    expect(await resultOf('SELECT count(*) FROM orders, customers', sql`FROM r`)).toMatchObject({
      readPrivateTable: true,
    });
  });

  it.each(['csv', 'parquet'] as const)(
    'are the linked %s files that were opened, whatever has come to stand at their paths',
    async (format) => {
      const path = join(folder, `linked.${format}`);
      const outside = join(folder, `outside.${format}`);
      const connection = await database.connect();
      await connection.run(sql`COPY (SELECT 1 AS n) TO ${quoted(path)}`);
      await connection.run(sql`COPY (SELECT 2 AS n) TO ${quoted(outside)}`);
      connection.close();
      const openAndReplace = async () => {
        const file = await open(path);
        await rm(path);
        await symlink(outside, path);
        return file;
      };
      const columns = [{ name: 'n', type: { kind: 'scalar', name: 'INTEGER' } }] as const;
      const reading = {
        format,
        isHive: false,
        columns,
        relativePaths: [`a.${format}`],
        open: openAndReplace,
        text: TEXT,
      };
      const linked = { name: 'linked', namespace: 'acme', parts: [path], reading, isBareName: true, isPrivate: false };
      const { rows } = await resultOf('SELECT n FROM linked', sql`SELECT n FROM r`, {
        resolveTables: async () => [linked],
      });
      expect(rows.map(([n]) => Number(n))).toEqual([1]);
    },
  );

  it.each([
    [1, 'completed'],
    [2, 'failed'],
  ])('are looked for again when a linked file has gone, which happened %i times', async (times, kind) => {
    const path = join(folder, 'going.csv');
    await writeFile(path, 'n\n1\n');
    const looks = Array.from({ length: 3 }, (_, index) => (index < times ? undefined : path));
    const openUnlessGone = async () => {
      const found = looks.shift();
      return found === undefined ? undefined : open(found);
    };
    const columns = [{ name: 'n', type: { kind: 'scalar', name: 'BIGINT' } }] as const;
    const relativePaths = ['a.csv'];
    const reading = { format: 'csv', isHive: false, columns, relativePaths, open: openUnlessGone, text: TEXT } as const;
    const going = { name: 'going', namespace: 'acme', parts: [path], reading, isBareName: true, isPrivate: false };
    const outcome = await outcomeOf('SELECT n FROM going', { resolveTables: async () => [going] });
    expect(outcome.kind).toBe(kind);
    if (outcome.kind === 'failed') expect(outcome.failure.message).toContain('going');
  });

  it('are asked for only where a name is not one of the statement', async () => {
    const asked: unknown[] = [];
    const resolveTables: RunRequest['resolveTables'] = async (references) => {
      asked.push(...references);
      return samples.resolveTables(references);
    };
    await resultOf(
      'WITH c AS (SELECT 1 a), orders AS (FROM orders) SELECT * FROM c, acme.customers, orders LIMIT 1',
      sql`FROM r`,
      { resolveTables },
    );
    expect(asked).toEqual(expect.arrayContaining([{ name: 'orders' }, { name: 'customers', namespace: 'acme' }]));
    expect(asked).toHaveLength(2);
  });

  it.each(['secrets', 'globex.secrets', 'acme.secrets', 'acme.main.orders', 'pg_catalog.pg_class', 'duckdb_settings'])(
    'do not include %s, in the same words whether it exists for others or not',
    async (name) => {
      const failure = await failureOf(`SELECT *\nFROM ${name}`);
      const message = `Table "${name}" does not exist`;
      expect(failure).toEqual({ type: 'FAILED_TYPE_EXECUTION_FAILED', message, offset: 14 });
    },
  );
});

describe('a failed run', () => {
  it.each([
    ['a syntax error', "\n  ; SELECT 'ü', 1 frm x y", 'x y', 'syntax error at or near "x"'],
    ['an unknown column', "SELECT 'ü',\n  nothing FROM orders", 'nothing', '"nothing" not found'],
    [
      'a value that does not fit',
      'SELECT name,\nCAST(name AS INT) x FROM orders',
      'CAST',
      "Could not convert string 'name 0'",
    ],
    ['a refused function', "SELECT 1 +\n read_text('/etc/passwd')", 'read_text', 'Function "read_text"'],
  ])('tells the place of %s', async (_, text, found, message) => {
    expect(await failureOf(text)).toEqual({
      type: 'FAILED_TYPE_EXECUTION_FAILED',
      offset: text.indexOf(found),
      message: expect.stringContaining(message),
    });
  });

  it('says that it ran out of memory, without advice for the server', async () => {
    const { type, message } = await failureOf('SELECT len(list(i)) FROM range(1000000000) t(i)');
    expect(type).toBe('FAILED_TYPE_OUT_OF_MEMORY');
    expect(message).not.toContain('SET ');
  });

  it('names the limit of time that it passed', async () => {
    const failure = await failureOf(BUSY, { resourceClass: 'large' });
    expect(failure).toEqual({
      type: 'FAILED_TYPE_TIMEOUT',
      message: 'The statement took longer to run than its limit of 0.7 seconds',
    });
  });

  it('has a column of a type that only the engine itself uses', async () => {
    expect((await failureOf("SELECT make_type('INTEGER')")).message).toContain('a type that results cannot hold');
  });

  it('has too many columns', async () => {
    const columns = Array.from({ length: 2001 }, (_, index) => `1 AS c${index}`).join(', ');
    expect(await failureOf(`SELECT ${columns}`)).toMatchObject({ type: 'FAILED_TYPE_RESULT_TOO_LARGE' });
  });
});

describe('runs of one author', () => {
  let warm: DuckDbEngine;

  beforeEach(async () => {
    warm = await openAnother('warm', { readyChildren: 0, timeoutMs: 5_000 });
  });
  afterEach(() => warm.close());

  /** @returns the process that ran the statement, if it waits for another one. */
  async function run(text: string, authorId: string | undefined, end = 'completed'): Promise<string | undefined> {
    const before = new Set(processesIn(join(folder, 'warm')));
    const started = start(text, { authorId }, warm);
    expect(await started.outcome).toMatchObject({ kind: end });
    await started.dispose();
    const after = processesIn(join(folder, 'warm'));
    return after.find((pid) => !before.has(pid)) ?? (after.length === before.size ? after[0] : undefined);
  }

  it('share a process, also after an error of a statement', async () => {
    // A run that takes long, as on a busy machine, has its process to itself.
    await until(async () => {
      const first = await run('SELECT count(*) FROM orders', 'ada');
      const others = [
        await run("SELECT 'x'::INTEGER", 'ada', 'failed'),
        await run('SELECT nothing FROM orders', 'ada', 'failed'),
        await run('SELECT sum(id) FROM orders', 'ada'),
      ];
      return first !== undefined && others.every((pid) => pid === first);
    });
  });

  it('share it with no other author, and not with statements of others', async () => {
    const ada = await run('SELECT 1', 'ada');
    expect(await run('SELECT 1', 'bob')).not.toBe(ada);
    const waiting = processesIn(join(folder, 'warm'));
    const started = start('SELECT 1', {}, warm);
    await started.outcome;
    await started.dispose();
    expect(processesIn(join(folder, 'warm')).sort()).toEqual(waiting.sort());
  });

  it('have a new database each', async () => {
    const seeded = 'SELECT setseed(0.5), random() AS r';
    await run(seeded, 'ada');
    const unseeded = await Promise.all(
      ['SELECT random() AS r', 'SELECT random() AS r'].map((text) => onlyValueOf(text)),
    );
    expect(unseeded[0]).not.toBe(unseeded[1]);
  });

  async function onlyValueOf(text: string): Promise<unknown> {
    const { rows } = await resultOf(text, sql`FROM r`, { authorId: 'ada' });
    return rows[0]?.[0];
  }

  it.each([
    ['runs out of memory', "SELECT length(repeat('x', 4000000000))"],
    ['runs out of time', BUSY],
    ['breaks the engine', "SELECT json_structure(repeat('[', 100000) || repeat(']', 100000))"],
  ])('do not share it once a statement %s', async (_, text) => {
    const first = await run('SELECT 1', 'ada');
    const started = start(text, { authorId: 'ada' }, warm);
    expect((await started.outcome).kind).not.toBe('completed');
    await started.dispose();
    expect(processesIn(join(folder, 'warm'))).not.toContain(first);
    expect(await run('SELECT 1', 'ada')).toBeDefined();
  });
});

describe('a result larger than the limit', () => {
  it('is cut to the first rows, as many as fit', async () => {
    const text = 'SELECT i, md5(i::VARCHAR) m FROM range(1000000) t(i) ORDER BY i';
    const inOrder = sql`SELECT count(*), max(i), bool_and(i = n - 1) FROM (SELECT i, row_number() OVER () n FROM r)`;
    const { isTruncated, rowCount, fileBytes, rows } = await resultOf(text, inOrder);
    expect(isTruncated).toBe(true);
    expect(fileBytes).toBeGreaterThan(0.85 * MEDIUM.maxResultBytes);
    expect(fileBytes).toBeLessThanOrEqual(MEDIUM.maxResultBytes);
    expect(rows).toEqual([[String(rowCount), String(rowCount - 1), true]]);
  });

  it('has one time limit for the whole run, both passes together', async () => {
    // Only what measures and limits time: what the run does goes on by itself.
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'clearImmediate', 'nextTick', 'queueMicrotask', 'Date'] });
    try {
      const passes: string[] = [];
      const resolveTables: RunRequest['resolveTables'] = (references) => {
        passes.push('a pass');
        jest.advanceTimersByTime(0.6 * MEDIUM.timeoutMs);
        return samples.resolveTables(references);
      };
      const failure = await failureOf('SELECT id, md5(id::VARCHAR) m FROM orders', { resolveTables });
      expect(passes).toHaveLength(2);
      expect(failure).toEqual({
        type: 'FAILED_TYPE_TIMEOUT',
        message: 'The statement took longer to run than its limit of 20 seconds',
      });
    } finally {
      jest.useRealTimers();
    }
  });

  it('fails when not even its first row fits', async () => {
    const incompressible = "SELECT string_agg(md5(i::VARCHAR), '') FROM range(300000) t(i)";
    const { type, message } = await failureOf(incompressible);
    expect(type).toBe('FAILED_TYPE_RESULT_TOO_LARGE');
    expect(message).toContain('first row');
  });
});

/** Waits for a sign that a run is in the middle of its statement. */
async function untilUnderWay(run: EngineRun, hasCome: () => boolean): Promise<void> {
  let hasEnded = false;
  void run.outcome.then(() => {
    hasEnded = true;
  });
  while (!hasCome()) {
    if (hasEnded) throw new Error(`Ended as ${JSON.stringify(await run.outcome)}`);
    await setTimeout(5);
  }
}

describe('EngineRun.progressPercentage', () => {
  it.each([1, 2])('grows while a statement reads a table, with %s threads', async (threads) => {
    const another = await openAnother(`threads-${threads}`, { threads, timeoutMs: 600_000 });
    const [orders] = samples.tables.filter(({ name }) => name === 'orders');
    const tables = orders && [{ ...orders, parts: Array<string>(20).fill(orders.parts[0] ?? '') }];
    const slow = 'SELECT max(sha256(repeat(name, 100))) FROM orders';
    const run = start(slow, { resolveTables: async () => tables ?? [] }, another);
    const seen: number[] = [];
    await untilUnderWay(run, () => {
      const percentage = run.progressPercentage();
      if (percentage !== undefined && percentage !== seen.at(-1)) seen.push(percentage);
      return seen.length === 3;
    });
    expect(seen.toSorted((a, b) => a - b)).toEqual(seen);
    expect(seen[0]).toBeGreaterThan(0);
    expect(seen[2]).toBeLessThan(100);
    await another.close();
    await run.dispose();
  });
});

describe('EngineRun.cancel', () => {
  it.each([
    ['can', BUSY],
    ['cannot', "SELECT levenshtein(repeat('a', 100000), repeat('b', 100000) || i) FROM range(9) t(i)"],
  ])('ends a run when the engine %s be interrupted', async (executionId, text) => {
    const run = start(text, { executionId });
    await untilUnderWay(run, () => hasResultFile(join(folder, 'runs'), executionId));
    run.cancel();
    expect(await run.outcome).toEqual({ kind: 'cancelled' });
    await run.dispose();
  });

  it('is harmless once the run has ended', async () => {
    const run = start('SELECT 1');
    const outcome = await run.outcome;
    run.cancel();
    expect(outcome.kind).toBe('completed');
    await run.dispose();
  });
});

describe('a run whose process crashes', () => {
  it('is lost, and the next one is not', async () => {
    const bomb = `repeat('{"a":', 100000) || '1' || repeat('}', 100000)`;
    expect(await outcomeOf(`SELECT json_merge_patch(${bomb}, ${bomb})`)).toMatchObject({ kind: 'lost' });
    expect(await outcomeOf('SELECT 1')).toMatchObject({ kind: 'completed' });
  });
});

describe('a run whose result has been told', () => {
  it.each(['dispose', 'close'] as const)('has no process any more after %s', async (way) => {
    const other = await openAnother(`after-${way}`, { readyChildren: 0 });
    const run = start('SELECT count(DISTINCT i) AS many FROM range(3000000) t(i)', {}, other);
    let processes: string[] = [];
    await untilUnderWay(run, () => {
      processes = processesIn(join(folder, `after-${way}`));
      return processes.length > 0;
    });
    expect(await run.outcome).toMatchObject({ kind: 'completed' });
    await (way === 'dispose' ? run.dispose() : other.close());
    expect(processes.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    await other.close();
  });
});

describe('DuckDbEngine.close', () => {
  it('cancels what runs and leaves no process', async () => {
    const other = await openAnother('other');
    const run = start(BUSY, { executionId: 'last' }, other);
    await other.close();
    expect(await run.outcome).toEqual({ kind: 'cancelled' });
    await run.dispose();
    expect(await readdir(join(folder, 'other'))).toEqual([]);
  });
});
