const SPACE = /\s*/y;

/** The text that a sticky pattern matches at an offset, empty if it does not match. */
export function matchAt(pattern: RegExp, text: string, offset: number): string {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0] ?? '';
}

/** The offset of the next character that is no white space. */
export function skipSpace(text: string, offset: number): number {
  return offset + matchAt(SPACE, text, offset).length;
}
