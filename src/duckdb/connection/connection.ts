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

  /** @param options settings by name. Lists cannot be given here, and `max_temp_directory_size` is ignored: SET them. */
  static async open(options: Readonly<Record<string, string>> = {}): Promise<Database> {
    return new Database(await guarded(() => DuckDBInstance.create(':memory:', { ...options })));
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
 * One connection, for one statement at a time. Each call takes exactly one statement, and throws {@link EngineError}
 * when the engine refuses or fails.
 */
export class Connection {
  constructor(private readonly connection: DuckDBConnection) {}

  /** Runs a statement whose rows nobody needs. `onAccepted` is called once the engine has prepared it, before it runs. */
  async run(statement: Sql, onAccepted: () => void = () => {}): Promise<void> {
    await this.prepared(statement, (prepared) => {
      onAccepted();
      return prepared.run();
    });
  }

  /** Runs statements that bind no values, one after the other, up to the first that fails: in one trip to the engine instead of two for each. */
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

  /** Runs a statement and yields its rows in batches as the engine makes them; leaving the loop ends the statement. */
  async *stream(statement: Sql): AsyncGenerator<Row[]> {
    const result = await this.prepared(statement, (prepared) => prepared.stream());
    const batches = result.yieldRowsJson();
    for (;;) {
      const batch = await guarded(() => batches.next());
      if (batch.done) return;
      yield batch.value;
    }
  }

  /** Names and types of a statement's columns, by running it: ask with `LIMIT 0`. */
  async describe(statement: Sql): Promise<ResultColumn[]> {
    const result = await this.prepared(statement, (prepared) => prepared.run());
    return toResultColumns(result);
  }

  /** Stops the statement that is running. Lost if it has not begun: repeat until the call has settled. */
  interrupt(): void {
    this.connection.interrupt();
  }

  /**
   * Above 0, up to 100, where the engine tells it; needs `SET enable_progress_bar = true`. It counts the rows that it reads from files, and says
   * 0 all the while where it cannot: of what functions such as `range` make. It looks only when the thread that was asked to run the statement
   * has done a part of the work, of about 100,000 rows: where the other threads do all of it, there is no progress either.
   */
  progressPercentage(): number | undefined {
    const { percentage } = this.connection.progress;
    return percentage > 0 ? percentage : undefined;
  }

  close(): void {
    this.connection.closeSync();
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
  return result.columnNames().map((name, index) => ({ name, type: toLogicalType(result.columnType(index)) }));
}

async function guarded<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw EngineError.from(cause);
  }
}
