import type { Program } from '../program.js';

type Read = Awaited<ReturnType<Program['read']>>;

/** The text of a table that is not there. */
export const ABSENT = 'absent';

/** What the service has acknowledged, and must not lose. */
export class Ledger {
  /** Results as they were first read. */
  readonly results = new Map<string, Read>();
  /** Executions whose start was acknowledged. */
  readonly started = new Set<string>();
  /** How often executions must have begun in the end, where that is certain. */
  readonly attempts = new Map<string, number>();
  /** Rows that a table may have: several while it is open whether a change was made. */
  readonly tables = new Map<string, readonly string[]>();

  copy(): Ledger {
    const copy = new Ledger();
    for (const [id, read] of this.results) copy.results.set(id, read);
    for (const id of this.started) copy.started.add(id);
    for (const [name, rows] of this.tables) copy.tables.set(name, rows);
    return copy;
  }

  /** Does not expect results any more. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) {
      this.results.delete(id);
      this.started.delete(id);
    }
  }

  /** Notes rows that a table has after a change, whose answer decides whether it must have them. */
  async change(table: string, after: string, send: () => Promise<{ readonly status: number }>): Promise<void> {
    this.tables.set(table, [...(this.tables.get(table) ?? [ABSENT]), after]);
    const { status } = await send();
    if (status === 200) this.tables.set(table, [after]);
  }
}
