import { findColumnNameIssue, MAX_NAME_LENGTH } from './column-name.js';

/**
 * Makes the names of columns valid and unique, without regard to case. Valid names stay as they
 * are. In others, white space around the name and characters before its first letter or digit are
 * removed, control characters become `_`, and a leading digit gets the prefix `c_`. If nothing is
 * left, the name is the position of the column: `column_3`. A repeated name gets the suffix `_2`,
 * `_3` and so on.
 */
export function normalizeNames(names: readonly string[]): string[] {
  const unique = new UniqueNames();
  // Valid names are taken first, so that none of them gets a suffix because of another.
  const kept = names.map((name) => (findColumnNameIssue(name) === undefined && unique.take(name) ? name : undefined));
  return names.map((name, index) => kept[index] ?? unique.make(normalizeName(name, index + 1)));
}

/** A valid name, which may not be unique. */
export function normalizeName(name: string, position: number): string {
  if (findColumnNameIssue(name) === undefined) return name;
  const text = name
    .trim()
    .replaceAll(/\p{Cc}+/gu, '_')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  if (text === '') return `column_${position}`;
  return beginning(/^\p{L}/u.test(text) ? text : `c_${text}`, MAX_NAME_LENGTH);
}

/** A set of names, without regard to case. */
class UniqueNames {
  readonly #taken = new Set<string>();
  /** The last suffix of each name: thousands of columns can have the same one. */
  readonly #numbers = new Map<string, number>();

  /** Adds a name. Returns false if the set has it. */
  take(name: string): boolean {
    const folded = name.toLowerCase();
    if (this.#taken.has(folded)) return false;
    this.#taken.add(folded);
    return true;
  }

  /** Adds a name, with a suffix if the set has it, and returns it. */
  make(name: string): string {
    for (let number = this.#numbers.get(name) ?? 1; ; number++) {
      const suffix = number === 1 ? '' : `_${number}`;
      const candidate = beginning(name, MAX_NAME_LENGTH - suffix.length) + suffix;
      if (!this.take(candidate)) continue;
      this.#numbers.set(name, number);
      return candidate;
    }
  }
}

/** The first characters of a text, as Unicode counts them. */
function beginning(text: string, length: number): string {
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}
