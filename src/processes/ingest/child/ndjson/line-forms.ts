import { LRUCache } from 'lru-cache';
import type { TableColumn } from '../../../../types/table-column.js';
import { type FastValue, toFastValue } from './fast-value.js';
import { LineTemplate, literalsOf, type ValuePlace } from './line-template.js';

/** Memory for the forms of a table together: making a form takes as long as checking some hundred lines. */
const MAX_BYTES = 20_000_000;
/** What a form takes, as measured, for each value, and for each byte around the values: a line may hold megabytes of blanks. */
const VALUE_BYTES = 1_000;
const LITERAL_BYTE_BYTES = 35;
/** Tables whose forms are kept: a large text comes in many pieces, and the first lines of a new form take far longer than the next. */
const MAX_TABLES = 4;

const kept = new LRUCache<string, LineForms>({ max: MAX_TABLES });

/** The forms of lines that were seen in texts for a table. */
export class LineForms {
  /** The fast side of each column. */
  readonly values: readonly FastValue[];
  /** By what stands around their values. */
  readonly #templates = new Map<string, LineTemplate>();
  #bytes = 0;

  private constructor(columns: readonly TableColumn[]) {
    this.values = columns.map(toFastValue);
  }

  /** Those of a table with these columns. */
  static of(columns: readonly TableColumn[]): LineForms {
    const key = JSON.stringify(columns);
    const known = kept.get(key);
    if (known) return known;
    const forms = new LineForms(columns);
    kept.set(key, forms);
    return forms;
  }

  /** The form of a line that was checked token by token; nothing if there are too many. */
  find(bytes: Buffer, start: number, end: number, places: readonly ValuePlace[]): LineTemplate | undefined {
    const literals = literalsOf(bytes, start, end, places);
    const needed = bytesOf(literals);
    if (needed > MAX_BYTES) return undefined;
    const text = literals.map((literal) => literal.toString('latin1')).join('\0');
    const known = this.#templates.get(text);
    if (known || this.#bytes + needed > MAX_BYTES) return known;
    this.#bytes += needed;
    const template = new LineTemplate(
      literals,
      places.map(({ value }) => value),
    );
    this.#templates.set(text, template);
    return template;
  }
}

/** About how much memory the form of a line takes. */
function bytesOf(literals: readonly Buffer[]): number {
  return literals.reduce((sum, { length }) => sum + VALUE_BYTES + LITERAL_BYTE_BYTES * length, 0);
}
