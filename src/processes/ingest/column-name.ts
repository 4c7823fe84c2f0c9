/** Characters of the longest name of a column. */
export const MAX_NAME_LENGTH = 200;

/**
 * Why a text cannot name a column of a table, or nothing if it can. A name begins with a letter of
 * any script, not with a digit or a special character such as `_` (`docs/contract.md`, "Column
 * names"); the rest may be anything printable, spaces and emojis included.
 */
export function findColumnNameIssue(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (!/^\p{L}/u.test(name)) return 'a column name begins with a letter, not with a digit or a special character';
  if (/\p{Cc}/u.test(name)) return 'a column name has no line breaks or other control characters';
  if (Array.from(name.slice(0, 2 * MAX_NAME_LENGTH + 1)).length > MAX_NAME_LENGTH)
    return `a column name has at most ${MAX_NAME_LENGTH} characters`;
  return undefined;
}
