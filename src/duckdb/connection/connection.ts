import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type Json,
} from '@duckdb/node-api';
import type { LogicalType } from '../../types/column.js';
import { join, type Sql } from '../sql.js';
import { EngineError } from './engine-error.js';
import { toLogicalType } from './to-logical-type.js';

/** A column of a statement that has not been stored; names may be empty or repeated. */
export interface ResultColumn {
  readonly name: string;
  readonly type: LogicalType;
}

/** Values of a row: integers of 64 bits and more, decimals, dates and times are text. */
export type Row = readonly Json[];

/** An in-memory database of this process. */
export class Database {
  private constructor(private readonly instance: DuckDBInstance) {}

  /** @param options settings by name, but no lists and no `max_temp_directory_size`: SET those. */
  static async open(options: Readonly<Record<string, string>> = {}): Promise<Database> {
    return new Database(await guarded(() => DuckDBInstance.create(':memory:', { ...options })));
  }

  /** Opens a database for a single connection, which closes it. */
  static async openAlone(options: Readonly<Record<string, string>>): Promise<Connection> {
    const { instance } = await Database.open(options);
    return new Connection(await guarded(() => instance.connect()), () => instance.closeSync());
  }

  async connect(): Promise<Connection> {
    return new Connection(await guarded(() => this.instance.connect()));
  }

  /** Only when no statement is running: it waits for them. */
  close(): void {
    this.instance.closeSync();
  }
}

/**
 * One connection, for one statement at a time. Each call takes exactly one statement, and throws
 * {@link EngineError} if the engine rejects it or fails.
 */
export class Connection {
  constructor(
    private readonly connection: DuckDBConnection,
    private readonly afterClose = () => {},
  ) {}

  /** Runs a statement without its rows. `onAccepted` is called after it is prepared. */
  async run(statement: Sql, onAccepted: () => void = () => {}): Promise<void> {
    await this.prepared(statement, (prepared) => {
      onAccepted();
      return prepared.run();
    });
  }

  /** Runs statements without values, up to the first that fails, in one call of the engine. */
  async runAll(statements: readonly Sql[]): Promise<void> {
    const { text, values } = join(statements, ';\n');
    if (values.length > 0) throw new Error('Values can be bound to a single statement only');
    await guarded(() => this.connection.run(text));
  }

  /** Runs a statement and returns all its rows, for results known to be small. */
  async rows(statement: Sql): Promise<Row[]> {
    const result = await this.prepared(statement, (prepared) => prepared.run());
    return guarded(() => result.getRowsJson());
  }

  /** Yields a statement's rows in batches as the engine makes them; leaving the loop ends it. */
  async *stream(statement: Sql): AsyncGenerator<Row[]> {
    const result = await this.prepared(statement, (prepared) => prepared.stream());
    const batches = result.yieldRowsJson();
    for (;;) {
      const batch = await guarded(() => batches.next());
      if (batch.done) return;
      yield batch.value;
    }
  }

  /** Names and types of a statement's columns, by running it, best with `LIMIT 0`. */
  async describe(statement: Sql): Promise<ResultColumn[]> {
    const result = await this.prepared(statement, (prepared) => prepared.run());
    return toResultColumns(result);
  }

  /** Stops the running statement. Lost if it has not begun: repeat until the call has settled. */
  interrupt(): void {
    this.connection.interrupt();
  }

  /**
   * Above 0, up to 100, or nothing; requires `SET enable_progress_bar = true`. The engine counts
   * rows of files, not of functions such as `range`, and only in the thread that was asked to run
   * the statement, each 100,000 rows.
   */
  progressPercentage(): number | undefined {
    const { percentage } = this.connection.progress;
    return percentage > 0 ? percentage : undefined;
  }

  close(): void {
    this.connection.closeSync();
    this.afterClose();
  }

  private async prepared<T>({ text, values }: Sql, use: (prepared: DuckDBPreparedStatement) => Promise<T>): Promise<T> {
    return guarded(async () => {
      const prepared = await this.connection.prepare(text);
      try {
        for (const [index, value] of values.entries()) prepared.bindVarchar(index + 1, value);
        return await use(prepared);
      } finally {
        prepared.destroySync();
      }
    });
  }
}

function toResultColumns(result: DuckDBResult): ResultColumn[] {
  return result.columnNames().map((name, index) => ({ name, type: typeOf(result, index) }));
}

/** @throws {EngineError} if the column has a type of the engine without a record in `types/`. */
function typeOf(result: DuckDBResult, index: number): LogicalType {
  try {
    return toLogicalType(result.columnType(index));
  } catch (cause) {
    const column = `Column ${index + 1} ("${result.columnName(index)}")`;
    const message = `${column} has a type that results cannot hold. Cast it to another type, such as VARCHAR.`;
    throw new EngineError('Not implemented', message, { cause });
  }
}

async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw EngineError.from(cause);
  }
}
