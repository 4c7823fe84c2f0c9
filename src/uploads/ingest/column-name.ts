const MAX_LENGTH = 200;

/**
 * Why a text cannot name a column of a table, or nothing if it can. A name begins with a letter of any script; behind it, anything
 * printable goes, spaces and emojis too (`service-interface-seed.md`, "Upload CSV": not a special character, `_` included, nor a digit).
 */
export function findColumnNameProblem(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (!/^\p{L}/u.test(name)) return 'a column name begins with a letter, not with a digit or a special character';
  if (/\p{Cc}/u.test(name)) return 'a column name has no line breaks or other control characters';
  if (Array.from(name.slice(0, 2 * MAX_LENGTH + 1)).length > MAX_LENGTH)
    return `a column name has at most ${MAX_LENGTH} characters`;
  return undefined;
}
