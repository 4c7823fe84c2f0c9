import { open } from 'node:fs/promises';
import { LINE_FEED, OPENING_BRACE, OPENING_BRACKET } from '../../ascii.js';
import { SHORT_LINE_BYTES, skipShortLines } from '../../short-lines.js';

const PIECE_BYTES = 2 ** 20;

/**
 * Most opening brackets of a line that the engine may read unchecked. It walks through nested values by recursion, so that they end its
 * process: 10,000 objects within each other do not, 20,000 do.
 */
const MAX_OPENED = SHORT_LINE_BYTES;

/** Whether a line of a file has so many opening brackets that it could be too deep for the engine. Brackets in strings count, too. */
export async function mayHaveDeepLines(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    /** Brackets of the line that goes on in the next piece. */
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

/** Opening brackets of the last line so far, or of the first that has too many. */
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

/** How often a byte occurs; no more than {@link MAX_OPENED} are counted beyond that. */
function count(line: Buffer, byte: number): number {
  let found = 0;
  for (let at = line.indexOf(byte); at >= 0 && found <= MAX_OPENED; at = line.indexOf(byte, at + 1)) found++;
  return found;
}
