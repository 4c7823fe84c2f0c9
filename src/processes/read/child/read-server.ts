import type { Connection, Database } from '../../../duckdb/connection/connection.js';
import { EngineError } from '../../../duckdb/connection/engine-error.js';
import { quoted, raw, type Sql, sql } from '../../../duckdb/sql.js';
import type { CopyStatement, EngineOptions, FromReadChild, PriorityClass, ToReadChild } from '../reader-messages.js';
import { openEngines } from './open-engines.js';

type CopyMessage = Extract<ToReadChild, { kind: 'copy' }>;

/**
 * Runs the copies that the server requests, each on a connection of its own, which is kept for
 * another one.
 */
export class ReadServer {
  private readonly running = new Map<number, Connection>();
  private readonly idle: Record<PriorityClass, Connection[]> = { interactive: [], bulk: [] };
  private engines: Record<PriorityClass, Database> | undefined;

  constructor(private readonly send: (message: FromReadChild) => void) {}

  receive(message: ToReadChild): void {
    if (message.kind === 'open') void this.open(message.options);
    if (message.kind === 'copy') void this.copy(message);
    if (message.kind === 'interrupt') this.running.get(message.id)?.interrupt();
  }

  private async open(options: EngineOptions): Promise<void> {
    this.engines = await openEngines(options);
    this.send({ kind: 'ready' });
  }

  private async connect(priority: PriorityClass): Promise<Connection> {
    if (!this.engines) throw new Error('The engine is not open yet');
    return this.engines[priority].connect();
  }

  private async copy({ id, priority, statement, pipe }: CopyMessage): Promise<void> {
    try {
      const connection = this.idle[priority].pop() ?? (await this.connect(priority));
      this.running.set(id, connection);
      try {
        await connection.run(copyIntoPipeSql(statement, pipe), () => this.send({ kind: 'started', id }));
      } finally {
        this.running.delete(id);
        this.idle[priority].push(connection);
      }
      this.send({ kind: 'done', id });
    } catch (error) {
      const { type, message } = EngineError.from(error);
      this.send(type === 'Out of Memory' ? { kind: 'out-of-memory', id } : { kind: 'failed', id, message });
    }
  }
}

/** A pipe cannot be written aside and renamed, as COPY does by default. */
function copyIntoPipeSql({ text, values, options }: CopyStatement, pipe: string): Sql {
  const query: Sql = { text, values };
  return sql`COPY (${query}) TO ${quoted(pipe)} (${raw(options)}, USE_TMP_FILE false)`;
}
