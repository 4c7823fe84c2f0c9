import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '../../src/duckdb/connection/connection.js';
import { identifier, quoted, raw, type Sql, sql } from '../../src/duckdb/sql.js';
import type { Column } from '../../src/types/column.js';
import { csvCopy, csvRowSql } from '../../src/types/csv-row.js';
import { jsonRowSql, RAW_LINES } from '../../src/types/json-text.js';
import { toStoredSql } from '../../src/types/storage-encoding.js';
import { recordOf } from '../../src/types/type-of.js';
import { openConnection } from './connection.js';
import { temporaryFolder } from './temporary-folder.js';

/** What a query's rows look like once stored and read back. */
export interface StoredText {
  readonly columns: readonly Column[];
  /** A line per row. */
  readonly json: string;
  /** Without header line. */
  readonly csv: string;
  /** The same CSV, made line by line. */
  readonly csvRows: string;
}

/** Stores queries in Parquet, as results are stored, and prints what was stored. */
export class StoredTextPrinter {
  private constructor(
    readonly connection: Connection,
    private readonly folder: string,
  ) {}

  /** The printer of a test file, until its last test. */
  static async open(): Promise<StoredTextPrinter> {
    const connection = await openConnection({ threads: '1' });
    // Any zone but UTC: no text may depend on it.
    await connection.run(raw(`SET TimeZone = 'Asia/Kolkata'`));
    return new StoredTextPrinter(connection, temporaryFolder());
  }

  /**
   * @param shape what the columns shall have otherwise than by default, such as another storage
   *   encoding.
   * @param csvNull how CSV writes NULL, if not by default.
   */
  async print(query: string, shape: Partial<Column> = {}, csvNull?: string): Promise<StoredText> {
    const columns = await this.store(query, shape);
    const { fields, options } = csvCopy(columns, csvNull);
    return {
      columns,
      json: await this.copy(jsonRowSql(columns), RAW_LINES),
      csv: await this.copy(sql`${fields}`, options),
      csvRows: await this.printRows(columns, csvNull),
    };
  }

  /** What was stored last, as CSV made line by line. */
  printRows(columns: readonly Column[], csvNull?: string): Promise<string> {
    return this.copy(csvRowSql(columns, csvNull), RAW_LINES);
  }

  /** Stores the query's rows; they are then read from {@link stored}. */
  async store(query: string, shape: Partial<Column> = {}): Promise<Column[]> {
    const described = await this.connection.describe(raw(`SELECT * FROM (${query}) LIMIT 0`));
    const columns = described.map(
      ({ name, type }): Column => ({ name, type, storedAs: recordOf(type).storage, isSafeInteger: false, ...shape }),
    );
    const projection = columns.map(
      ({ name, type, storedAs }) => sql`${toStoredSql(identifier(name), type, storedAs)} AS ${identifier(name)}`,
    );
    await this.connection.run(sql`COPY (SELECT ${projection} FROM (${raw(query)})) TO ${this.file} (FORMAT parquet)`);
    return columns;
  }

  get stored(): Sql {
    return sql`read_parquet(${this.file})`;
  }

  private get file(): Sql {
    return quoted(join(this.folder, 'result.parquet'));
  }

  private async copy(projection: Sql, options: Sql): Promise<string> {
    const path = join(this.folder, 'text');
    await this.connection.run(sql`COPY (SELECT ${projection} FROM ${this.stored}) TO ${quoted(path)} (${options})`);
    return readFile(path, 'utf8');
  }
}
