import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DummyDriver,
  Kysely,
  type KyselyPlugin,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCompiler,
} from 'kysely';
import { Catalog } from '../../src/catalog/catalog.js';
import { migrations } from '../../src/catalog/migrations/migrations.js';
import { NodeSqliteDialect } from '../../src/catalog/sqlite/sqlite-dialect.js';
import { repositoriesOf, runEveryStatement } from '../support/every-statement.js';

/**
 * What may stand in statements of the catalog: PostgreSQL and SQLite take all of it to mean the
 * same. A word that is missing here is to be looked up in both manuals before it is added.
 */
const PORTABLE = new Set(
  `( ) , . * + - = <> < > <= >= select from inner left join on where group having and or in is null not order by asc desc limit offset union all as
  insert into values conflict do nothing update set delete returning true count sum max coalesce like escape
  create table index unique primary key constraint references cascade alter add column integer bigint text
  generated default identity`.split(/\s+/),
);

/** What stands in a statement beside names, values and the {@link PORTABLE}. */
function findForeign(statement: string): string[] {
  const bare = statement.toLowerCase().replaceAll(/"[^"]*"|\$\d+|\b\d+\b/g, ' ');
  return [...bare.matchAll(/\w+|[(),.*]|[^\w\s(),.*]+/g)]
    .map(([token]) => token)
    .filter((token) => !PORTABLE.has(token));
}

/** Runs on SQLite, and writes down what the same statements are for PostgreSQL. */
class RecordingDialect extends NodeSqliteDialect {
  readonly statements: string[] = [];

  override createQueryCompiler(): QueryCompiler {
    const sqlite = super.createQueryCompiler();
    const postgres = new PostgresQueryCompiler();
    return {
      compileQuery: (node, id) => {
        this.statements.push(postgres.compileQuery(node, id).sql);
        return sqlite.compileQuery(node, id);
      },
    };
  }
}

/** Counts, sums and wide columns, as PostgreSQL gives them. */
const COUNTS = ['count', 'bytes', 'row_count', 'size_bytes', 'result_bytes'];
const countsAsText: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => ({
    ...result,
    rows: result.rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          COUNTS.includes(name) && value !== null ? `${value}` : value,
        ]),
      ),
    ),
  }),
};

describe('The SQL of the catalog', () => {
  let dataDir: string;

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'catalog-'));
  });

  afterAll(() => {
    rmSync(dataDir, { recursive: true });
  });

  it.each([
    ['select "glob" from "t" where "id" = $1 limit 1', []],
    ['insert or ignore into "t" values ($1)', ['ignore']],
    ['select ifnull("a", 1) from "t" where "a" glob \'x*\'', ['ifnull', 'glob', "'", 'x', "'"]],
    ['create table "t" ("id" integer primary key auto_increment)', ['auto_increment']],
  ])('is looked at word by word: %s', (statement, foreign) => {
    expect(findForeign(statement)).toEqual(foreign);
  });

  it('makes the tables in words that PostgreSQL has, too', async () => {
    const statements: string[] = [];
    const postgres = new Kysely<unknown>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      log: ({ query }) => void statements.push(query.sql),
    });
    for (const { up } of Object.values(migrations)) await up(postgres);
    expect(statements.length).toBeGreaterThan(10);
    expect(statements.filter((statement) => findForeign(statement).length > 0)).toEqual([]);
  });

  describe('in repositories', () => {
    const called = new Set<string>();
    let repositories: ReturnType<typeof repositoriesOf>;
    let statements: string[];
    let answers: Record<string, unknown>;

    beforeAll(async () => {
      await (await Catalog.open(dataDir)).destroy();
      const dialect = new RecordingDialect(join(dataDir, 'catalog.db'));
      const catalog = new Catalog({ dialect, plugins: [countsAsText] });
      repositories = repositoriesOf(catalog);
      answers = await runEveryStatement(watched(repositories, called));
      await catalog.destroy();
      statements = dialect.statements;
    });

    it('is all looked at here', async () => {
      const files = (await readdir('src', { recursive: true })).filter((file) => file.endsWith('.repository.ts'));
      expect(Object.keys(repositories)).toHaveLength(files.length);
      expect([...called].sort()).toEqual(Object.values(repositories).flatMap(methodsOf).sort());
    });

    it('consists of words that PostgreSQL has, too', () => {
      expect(statements.filter((statement) => findForeign(statement).length > 0)).toEqual([]);
    });

    it('takes counts, sums and wide columns as PostgreSQL gives them', () => {
      expect(answers).toMatchObject({
        count: 2,
        counts: [0, 0, 0],
        storage: [
          { plan: 'free', bytes: 510 },
          { plan: 'free', bytes: 10 },
        ],
        listedExecutions: [['C', 'B'], [], ['D']],
        listedCounts: [0, 2],
        fragmented: [{ columns: expect.any(Array) }],
        replaced: [[], ['k']],
        files: [
          ['f', 10],
          ['d', 500_000],
          ['e', 90_000],
        ],
        isStored: [true, false],
        hasPart: [true, false],
        contradictions: [],
        versions: [
          { isLinked: true, partCount: 0, version: 1, newestPart: 1 },
          { isLinked: false, partCount: 2, version: 2, newestPart: 2 },
        ],
        recounted: [undefined, { handle: 'ada', countedBytes: 10, bytes: 10 }],
        linked: [{ table: { namespace: 'ada', name: 'linked' }, source: { pattern: '/files/*.csv' } }],
        orphans: [
          ['b', expect.any(Date)],
          ['b', expect.any(Date)],
        ],
        listed: [{ name: 'sizes', rowCount: 20, sizeBytes: 590_000 }],
        parts: [
          [{ blob: 'e', rowCount: 10, sizeBytes: 90_000 }, { sizeBytes: 500_000 }],
          [{}, {}],
        ],
        refused: ['table_exists', 'storage_full', 'table_replaced', 'false', 'false'],
      });
    });
  });
});

/** The methods of an object's class, each as `Class.method`. */
function methodsOf(object: object): string[] {
  const prototype: object = Object.getPrototypeOf(object);
  const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  return names.map((name) => `${prototype.constructor.name}.${name}`);
}

/** The same objects, of which it is written down what is called. */
function watched<T extends Record<string, object>>(objects: T, called: Set<string>): T {
  const watch = (object: object) => {
    const methods = new Set(methodsOf(object));
    return new Proxy(object, {
      get: (target, name, receiver) => {
        const method = `${target.constructor.name}.${String(name)}`;
        if (methods.has(method)) called.add(method);
        return Reflect.get(target, name, receiver);
      },
    });
  };
  return Object.fromEntries(Object.entries(objects).map(([name, object]) => [name, watch(object)])) as T;
}
