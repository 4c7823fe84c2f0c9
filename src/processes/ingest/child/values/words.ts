const BOOLEANS: ReadonlySet<string> = new Set(['true', 'True', 'TRUE', 'false', 'False', 'FALSE']);
const NON_FINITE: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);

/** Whether a text is `true` or `false`, in small letters, capitals, or with a capital first. */
export function isBoolean(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  return (length === 4 || length === 5) && BOOLEANS.has(bytes.toString('latin1', start, end));
}

/** Whether a text is a double that is no number, as this service prints it. */
export function isNonFinite(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  return (length === 3 || length === 8 || length === 9) && NON_FINITE.has(bytes.toString('latin1', start, end));
}
