import { join } from 'node:path';
import type { Connection, Row } from '../../src/duckdb/connection/connection.js';
import { identifier, quoted, raw, type Sql, sql } from '../../src/duckdb/sql.js';
import { bindReadPlan } from '../../src/read-plan/bind-read-plan.js';
import { parseReadPlan } from '../../src/read-plan/parse-read-plan.js';
import type { ReadRequest } from '../../src/read-plan/read-plan.js';
import { readPlanToSql } from '../../src/read-plan/read-plan-to-sql.js';
import { type StoredRows, storedRows } from '../../src/read-plan/stored-rows.js';
import type { Column } from '../../src/types/column.js';
import { toStoredSql } from '../../src/types/storage-encoding.js';
import { recordOf } from '../../src/types/type-of.js';
import { openConnection } from './connection.js';
import { temporaryFolder } from './temporary-folder.js';

/** The result of a query, stored in a temporary file as the service stores results. */
export class StoredResult {
  private constructor(
    readonly columns: readonly Column[],
    readonly storedRows: StoredRows,
    readonly rowCount: number,
    private readonly connection: Connection,
  ) {}

  /** @param rowGroupSize rows in a row group; small ones let a small result have several. */
  static async of(query: string, rowGroupSize = 122_880): Promise<StoredResult> {
    const connection = await openConnection();
    await connection.run(raw(`SET TimeZone = 'UTC'`));
    const described = await connection.describe(raw(`SELECT * FROM (${query}) LIMIT 0`));
    const columns = described.map(
      ({ name, type }): Column => ({ name, type, storedAs: recordOf(type).storage, isSafeInteger: false }),
    );
    const stored = columns.map(
      ({ name, type, storedAs }) => sql`${toStoredSql(identifier(name), type, storedAs)} AS ${identifier(name)}`,
    );
    const file = quoted(join(temporaryFolder(), 'result.parquet'));
    await connection.run(
      sql`COPY (SELECT ${stored} FROM (${raw(query)})) TO ${file} (FORMAT parquet, ROW_GROUP_SIZE ${raw(String(rowGroupSize))})`,
    );
    const source = sql`read_parquet(${file})`;
    const [[count] = []] = await connection.rows(sql`SELECT count(*) FROM ${source}`);
    return new StoredResult(columns, storedRows(source, columns), Number(count), connection);
  }

  /** The rows that a request selects, as they are stored. */
  read(request: Partial<ReadRequest>, maxPageRows = 30_000): Promise<Row[]> {
    return this.connection.rows(this.toSql(request, maxPageRows));
  }

  /** The statement for a request. */
  toSql(request: Partial<ReadRequest>, maxPageRows = 30_000): Sql {
    const parsed = parseReadPlan({ format: 'json', ...request }, maxPageRows);
    return readPlanToSql(bindReadPlan(parsed, this.columns), this.storedRows, this.rowCount);
  }
}
