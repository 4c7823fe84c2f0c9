/** Longest column name, in characters; longer ones are cut. */
const MAX_NAME_LENGTH = 200;

/**
 * Names for the columns of a result: never empty, unique regardless of case, otherwise as the
 * statement has them. `id, ID, ''` become `id, ID_1, column_3`.
 */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name, index) => {
    const unique = untaken(cut(name, MAX_NAME_LENGTH) || `column_${index + 1}`, taken);
    taken.add(fold(unique));
    return unique;
  });
}

function untaken(name: string, taken: ReadonlySet<string>): string {
  for (let number = 0; ; number++) {
    const suffix = number === 0 ? '' : `_${number}`;
    const candidate = cut(name, MAX_NAME_LENGTH - suffix.length) + suffix;
    if (!taken.has(fold(candidate))) return candidate;
  }
}

/** The first characters of a name; a character outside the basic plane stays whole. */
function cut(name: string, length: number): string {
  return name.length <= length ? name : [...name].slice(0, length).join('');
}

function fold(name: string): string {
  return name.toLowerCase();
}
