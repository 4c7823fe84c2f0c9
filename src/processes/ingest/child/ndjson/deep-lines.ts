import { open } from 'node:fs/promises';
import { LINE_FEED, OPENING_BRACE, OPENING_BRACKET } from '../../ascii.js';
import { SHORT_LINE_BYTES, skipShortLines } from '../../short-lines.js';

const PIECE_BYTES = 2 ** 20;

/**
 * Most opening brackets of a line that the engine may read unchecked. It reads nested values by
 * recursion, and overflows its stack between 10,000 and 20,000 levels of objects.
 */
const MAX_OPENED = SHORT_LINE_BYTES;

/**
 * Whether a line of a file has so many opening brackets, also inside strings, that its nesting could
 * overflow the stack of the engine.
 */
export async function mayHaveDeepLines(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    /** Brackets so far of the line that continues in the next piece. */
    let opened = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES);
      if (bytesRead === 0) return false;
      opened = countInLastLine(buffer.subarray(0, bytesRead), opened);
      if (opened > MAX_OPENED) return true;
    }
  } finally {
    await file.close();
  }
}

/** Opening brackets of the last line, or of the first line that has too many. */
function countInLastLine(piece: Buffer, openedBefore: number): number {
  let opened = openedBefore;
  for (let start = opened > 0 ? 0 : skipShortLines(piece, 0); start < piece.length; ) {
    const newline = piece.indexOf(LINE_FEED, start);
    const line = piece.subarray(start, newline < 0 ? piece.length : newline);
    opened += count(line, OPENING_BRACE) + count(line, OPENING_BRACKET);
    if (newline < 0 || opened > MAX_OPENED) return opened;
    opened = 0;
    start = skipShortLines(piece, newline + 1);
  }
  return opened;
}

/** How often a byte occurs. Counting stops after {@link MAX_OPENED}. */
function count(line: Buffer, byte: number): number {
  let found = 0;
  for (let at = line.indexOf(byte); at >= 0 && found <= MAX_OPENED; at = line.indexOf(byte, at + 1)) found++;
  return found;
}
