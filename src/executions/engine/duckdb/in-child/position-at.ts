/** A place in a text, counted from 1 in lines and characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Turns a place counted in bytes of UTF-8, as the engine counts, into one that the author of a text can find. */
export function positionAt(text: string, byteOffset: number): Position {
  const before = Buffer.from(text).subarray(0, byteOffset).toString();
  const lines = before.split(/\r\n|\r|\n/);
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}
