import { isUtf8 } from 'node:buffer';
import { LINE_FEED } from '../ascii.js';
import { type ByteSource, openBytes } from './byte-source.js';

/** Reads records out of the pieces of a file. */
export interface PieceReader {
  /**
   * Takes the next piece, which begins with a record. Returns how many of its bytes it has used: whole records. The rest begins the next
   * piece, with more behind it; after the last piece nothing follows.
   */
  take(bytes: Buffer, isLast: boolean): number;
  /** Refuses the file for what stands at an offset of the piece that was given last, or would be given next. */
  refuse(bytes: Buffer, offset: number, problem: string): never;
  /** Refuses the record that did not end in the piece that was given last; where that is no different, {@link refuse} does. */
  refuseRecord?(problem: string): never;
  /** Waits until what came of the piece is where it belongs. */
  flush?(): Promise<void>;
}

const PIECE_BYTES = 2 ** 20;

/** Largest record. The engine holds a few of them in memory at the same time, and so does everyone who reads the table. */
export const MAX_RECORD_BYTES = 16_000_000;

/** Gives a text file to a reader piece by piece, and makes sure that it is UTF-8 without NUL. Memory is bounded by the largest record. */
export async function readPieces(path: string, reader: PieceReader): Promise<void> {
  const file = await openBytes(path);
  try {
    let bytes: Buffer = Buffer.allocUnsafe(PIECE_BYTES);
    let filled = 0;
    let checked = 0;
    for (;;) {
      const read = await fill(file, bytes, filled);
      filled += read;
      const isLast = filled < bytes.length;
      const piece = bytes.subarray(0, filled);
      // The next piece may complete a character at the end of this one.
      const end = isLast ? filled : checked + wholeCharacters(piece.subarray(checked));
      const fault = findFault(piece, checked, end);
      if (fault) refuse(piece, fault, reader);
      checked = end;
      const used = reader.take(piece, isLast);
      await reader.flush?.();
      if (isLast) return;
      if (used === 0) bytes = grow(piece, reader);
      bytes.copyWithin(0, used, filled);
      filled -= used;
      checked -= used;
    }
  } finally {
    await file.close();
  }
}

/** Reads until the buffer is full or the file ends. Returns how many bytes were read. */
export async function fill(file: ByteSource, bytes: Buffer, from: number): Promise<number> {
  let filled = from;
  while (filled < bytes.length) {
    const count = await file.read(bytes, filled, bytes.length - filled);
    if (count === 0) break;
    filled += count;
  }
  return filled - from;
}

function grow(piece: Buffer, reader: PieceReader): Buffer {
  if (piece.length > MAX_RECORD_BYTES) {
    const problem = `a row may take at most ${MAX_RECORD_BYTES / 1e6} MB`;
    reader.refuseRecord?.(problem);
    reader.refuse(piece, 0, problem);
  }
  const larger = Buffer.allocUnsafe(2 * piece.length);
  piece.copy(larger);
  return larger;
}

/** What is no text, and where. */
interface TextFault {
  readonly offset: number;
  readonly problem: string;
}

/** The first fault between two places of a piece. */
function findFault(piece: Buffer, from: number, end: number): TextFault | undefined {
  const fresh = piece.subarray(from, end);
  const nul = fresh.indexOf(0);
  const text = nul < 0 ? fresh : fresh.subarray(0, nul);
  if (!isUtf8(text)) return { offset: from + firstInvalid(text), problem: 'not valid UTF-8' };
  return nul < 0 ? undefined : { offset: from + nul, problem: 'a NUL byte' };
}

/** Refuses a piece for what is no text, or for what is wrong in the records before it. */
function refuse(piece: Buffer, { offset, problem }: TextFault, reader: PieceReader): never {
  const used = reader.take(piece.subarray(0, offset), false);
  return reader.refuse(piece.subarray(used), offset - used, problem);
}

/** The length of a text without the character that its end may have cut. */
function wholeCharacters(bytes: Buffer): number {
  for (let length = bytes.length; length > Math.max(0, bytes.length - 4); length--) {
    const byte = bytes[length - 1] as number;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return length - 1;
  }
  return bytes.length;
}

/** Where a text stops being UTF-8: decoded and encoded again, it differs from there. */
function firstInvalid(bytes: Buffer): number {
  const again = Buffer.from(bytes.toString('utf8'));
  let at = 0;
  while (at < bytes.length && bytes[at] === again[at]) at++;
  return at;
}

/** How many lines end before an offset. */
export function countNewlines(bytes: Buffer, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0 && at < end; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
  return count;
}
