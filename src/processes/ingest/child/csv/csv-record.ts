import { excerpt } from '../content-error.js';

/** How a cell is written: `x`, `"x"`, `"x""y"`, or `x"y`, where the quotes are part of the text. */
export const BARE = 0;
export const QUOTED = 1;
export const QUOTED_WITH_QUOTES = 2;
export const BARE_WITH_QUOTES = 3;

/** Most columns of a table: the engine needs memory for each. */
export const MAX_COLUMNS = 2_000;
/** With the cell after a trailing delimiter. */
const MAX_CELLS = MAX_COLUMNS + 1;

/** A record of a CSV text, by the offsets of its cells in a block. One object is reused for all. */
export class CsvRecord {
  bytes: Buffer = Buffer.alloc(0);
  /** Line on which it begins, counted from 1. */
  line = 1;
  /** Cells, also those beyond the largest number that is kept. */
  count = 0;
  /** First byte of each cell's text, within its quotes. */
  readonly starts = new Int32Array(MAX_CELLS);
  /** The byte after it. */
  readonly ends = new Int32Array(MAX_CELLS);
  readonly quotings = new Uint8Array(MAX_CELLS);

  add(start: number, end: number, quoting: number): void {
    const index = this.count++;
    if (index >= MAX_CELLS) return;
    this.starts[index] = start;
    this.ends[index] = end;
    this.quotings[index] = quoting;
  }

  /** Whether nothing stands between the delimiters, which means NULL; `""` is the empty string. */
  isNull(index: number): boolean {
    return this.starts[index] === this.ends[index] && this.quotings[index] === BARE;
  }

  /** Whether the line is empty. */
  get isBlank(): boolean {
    return this.count === 1 && this.isNull(0);
  }

  /** The text of a cell. */
  text(index: number): string {
    const text = this.bytes.toString('utf8', this.starts[index], this.ends[index]);
    return this.quotings[index] === QUOTED_WITH_QUOTES ? text.replaceAll('""', '"') : text;
  }

  /** Whether a quote stands within a cell that is not quoted. */
  get hasBareQuotes(): boolean {
    return this.quotings.subarray(0, Math.min(this.count, MAX_CELLS)).includes(BARE_WITH_QUOTES);
  }

  /** The texts of all cells that are kept. */
  texts(): string[] {
    return Array.from({ length: Math.min(this.count, MAX_CELLS) }, (_, index) => this.text(index));
  }

  /** The text of a cell as a message quotes it. */
  excerpt(index: number): string {
    const start = this.starts[index] ?? 0;
    const end = this.ends[index] ?? 0;
    if (this.quotings[index] !== QUOTED_WITH_QUOTES) return excerpt(this.bytes, start, end);
    const text = Buffer.from(this.text(index));
    return excerpt(text, 0, text.length);
  }
}
