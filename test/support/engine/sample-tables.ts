import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../../../src/duckdb/connection/connection.js';
import { quoted, sql } from '../../../src/duckdb/sql.js';
import type { RunTable, TableReference } from '../../../src/processes/run/run.js';

const ORDERS = sql`
  SELECT range AS id, 'name ' || range AS name, CAST(range % 1000 AS DECIMAL(10, 2)) / 4 AS amt,
         DATE '2024-01-01' + CAST(range % 365 AS INTEGER) AS d, range % 10 AS grp
  FROM range(100000)`;
const CUSTOMERS = sql`SELECT range AS id, 'customer ' || range AS name FROM range(1000)`;
const SECRET = sql`SELECT 'top secret' AS secret`;

/**
 * Files of two accounts: `A`, which runs statements, with links into the folder of `B`, which it
 * must never see.
 */
export interface SampleTables {
  readonly tables: readonly RunTable[];
  /** What the statements of the attack corpus call these files. */
  readonly placeholders: Readonly<Record<string, string>>;
  /** Finds the tables of `A`, as an account service would. */
  resolveTables(references: readonly TableReference[]): Promise<readonly RunTable[]>;
}

/** Writes the tables that the statements of `test/corpus/` use into a folder. */
export async function givenSampleTables(folder: string): Promise<SampleTables> {
  const own = join(folder, 'data/A');
  const other = join(folder, 'data/B');
  const temporary = join(folder, 'tmp');
  for (const each of [own, other, temporary]) await mkdir(each, { recursive: true });
  await writeTables(own, other);
  await symlink(join(other, 'secret.parquet'), join(own, 'link.parquet'));
  await symlink(other, join(own, 'linkdir'));
  const tables = ['orders', 'customers'].map((name) => ({
    name,
    namespace: 'acme',
    parts: [join(own, `${name}.parquet`)],
    isBareName: true,
    isPrivate: name === 'customers',
  }));
  return {
    tables,
    placeholders: {
      OTHER_PARQUET: join(other, 'secret.parquet'),
      OTHER_DIR: other,
      OWN_PARQUET: join(own, 'orders.parquet'),
      DATA_DIR: join(folder, 'data'),
      TMP: temporary,
    },
    resolveTables: async (references) =>
      tables.filter((table) =>
        references.some(({ namespace = 'acme', name }) => namespace === 'acme' && name === table.name),
      ),
  };
}

async function writeTables(own: string, other: string): Promise<void> {
  const database = await Database.open();
  const connection = await database.connect();
  const copies = [
    [ORDERS, join(own, 'orders.parquet')],
    [CUSTOMERS, join(own, 'customers.parquet')],
    [SECRET, join(other, 'secret.parquet')],
    [SECRET, join(other, 'secret.csv')],
    [SECRET, join(other, 'secret.json')],
  ] as const;
  for (const [rows, path] of copies) await connection.run(sql`COPY (${rows}) TO ${quoted(path)}`);
  await connection.run(sql`ATTACH ${quoted(join(other, 'secret.duckdb'))} AS b`);
  await connection.run(sql`CREATE TABLE b.secret AS ${SECRET}`);
  await connection.run(sql`DETACH b`);
  connection.close();
  database.close();
}
