import { readFileSync } from 'node:fs';

/** How a statement of the corpus may end. */
export type Expectation = 'ok' | 'error' | 'timeout' | 'limited';

const FILES = ['attacks.json', 'more-attacks.json'];

/** A statement of `test/corpus/attacks.json` and `test/corpus/more-attacks.json`. */
export interface Attack {
  readonly name: string;
  readonly sql: string;
  readonly expect: Expectation;
  readonly also?: readonly Expectation[];
  /** The locked engine runs it: without the gate, nothing rejects it. */
  readonly onlyGate?: boolean;
}

/** Reads the corpus, with repetitions written out and placeholders such as `{{TMP}}` replaced. */
export function readAttacks(placeholders: Readonly<Record<string, string>>): Attack[] {
  const attacks = FILES.flatMap((file) => JSON.parse(readFileSync(`test/corpus/${file}`, 'utf8')) as Attack[]);
  return attacks.map((attack) => ({ ...attack, sql: fill(expand(attack.sql), placeholders) }));
}

/**
 * `⟪text×3×,⟫` becomes three copies with commas between; `#1` in the text is the copy's number from
 * 1, `#` from 0.
 */
function expand(sql: string): string {
  return sql.replace(/⟪([^×⟫]*)×(\d+)(?:×([^⟫]*))?⟫/g, (_, text: string, count: string, separator = '') =>
    Array.from({ length: Number(count) }, (_each, index) =>
      text.replaceAll('#1', String(index + 1)).replaceAll('#', String(index)),
    ).join(separator),
  );
}

function fill(sql: string, placeholders: Readonly<Record<string, string>>): string {
  return sql.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => placeholders[name] ?? whole);
}
