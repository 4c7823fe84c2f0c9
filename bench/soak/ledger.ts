import { createHash } from 'node:crypto';

/** A result that was reported as completed. */
export interface KnownResult {
  readonly executionId: string;
  /** SHA-256 of its CSV as it was first read. */
  readonly digest: string;
}

/** Rows of a table whose insert was answered, and whose insert may have happened. */
interface KnownTable {
  answered: number;
  unknown: number;
}

/** What the service has acknowledged, and must not lose. */
export class Ledger {
  readonly results = new Map<string, KnownResult>();
  readonly tables = new Map<string, KnownTable>();
  /** Executions whose start was answered. */
  readonly started = new Set<string>();
  readonly counts = new Map<string, number>();
  readonly losses: string[] = [];

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Notes the CSV of a result when it is first read; later it must be the same. */
  noteResult(executionId: string, csv: string): void {
    const digest = createHash('sha256').update(csv).digest('hex');
    const known = this.results.get(executionId);
    if (known && known.digest !== digest) this.losses.push(`execution ${executionId} reads differently`);
    if (!known) this.results.set(executionId, { executionId, digest });
  }

  noteInsert(table: string, rows: number, isAnswered: boolean): void {
    const known = this.tables.get(table) ?? { answered: 0, unknown: 0 };
    this.tables.set(table, known);
    if (isAnswered) known.answered += rows;
    else known.unknown += rows;
  }

  /** Compares the rows that a table has with what was inserted. */
  checkTable(table: string, rows: number): void {
    const { answered, unknown } = this.tables.get(table) ?? { answered: 0, unknown: 0 };
    if (rows < answered || rows > answered + unknown)
      this.losses.push(`table ${table} has ${rows} rows, inserted were ${answered} to ${answered + unknown}`);
  }
}
