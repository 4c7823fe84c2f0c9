import { isUtf8 } from 'node:buffer';
import { LINE_FEED } from '../ascii.js';
import { type ByteSource, openBytes } from './byte-source.js';

/** Reads records out of the blocks of a file. */
export interface BlockReader {
  /**
   * Takes the next block, which begins with a record. Returns how many of its bytes it has used:
   * whole records. The rest begins the next block, with more after it; after the last block
   * nothing follows.
   */
  take(bytes: Buffer, isLast: boolean): number;
  /** Refuses the file for what stands at an offset of the last block, or of the next one. */
  refuse(bytes: Buffer, offset: number, issue: string): never;
  /** Refuses the record that did not end in the last block, if {@link refuse} cannot. */
  refuseRecord?(issue: string): never;
  /** Waits until the output for the last block is written. */
  flush?(): Promise<void>;
}

const PIECE_BYTES = 2 ** 20;

/** Largest record: the engine has a few in memory at once, also when the table is read. */
export const MAX_RECORD_BYTES = 16_000_000;

/**
 * Gives a text file to a reader block by block, and makes sure that it is UTF-8 without NUL. Memory
 * is bounded by the largest record.
 *
 * @returns the size of the text.
 */
export async function readBlocks(path: string, reader: BlockReader): Promise<number> {
  const file = await openBytes(path);
  try {
    let bytes: Buffer = Buffer.allocUnsafe(PIECE_BYTES);
    let filled = 0;
    let checked = 0;
    let sizeBytes = 0;
    for (;;) {
      const read = await fill(file, bytes, filled);
      filled += read;
      sizeBytes += read;
      const isLast = filled < bytes.length;
      const block = bytes.subarray(0, filled);
      // The next block may complete a character at the end of this one.
      const end = isLast ? filled : checked + wholeCharacters(block.subarray(checked));
      const issue = findTextIssue(block, checked, end);
      if (issue) refuse(block, issue, reader);
      checked = end;
      const used = reader.take(block, isLast);
      await reader.flush?.();
      if (isLast) return sizeBytes;
      if (used === 0) bytes = grow(block, reader);
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

function grow(block: Buffer, reader: BlockReader): Buffer {
  if (block.length > MAX_RECORD_BYTES) {
    const issue = `a row may take at most ${MAX_RECORD_BYTES / 1e6} MB`;
    reader.refuseRecord?.(issue);
    reader.refuse(block, 0, issue);
  }
  const larger = Buffer.allocUnsafe(2 * block.length);
  block.copy(larger);
  return larger;
}

/** What is no text, and where. */
interface TextIssue {
  readonly offset: number;
  readonly issue: string;
}

/** The first issue between two offsets of a block. */
function findTextIssue(block: Buffer, from: number, end: number): TextIssue | undefined {
  const fresh = block.subarray(from, end);
  const nul = fresh.indexOf(0);
  const text = nul < 0 ? fresh : fresh.subarray(0, nul);
  if (!isUtf8(text)) return { offset: from + firstInvalid(text), issue: 'not valid UTF-8' };
  return nul < 0 ? undefined : { offset: from + nul, issue: 'a NUL byte' };
}

/** Refuses a block for what is no text, or for what is wrong in the records before it. */
function refuse(block: Buffer, { offset, issue }: TextIssue, reader: BlockReader): never {
  const used = reader.take(block.subarray(0, offset), false);
  return reader.refuse(block.subarray(used), offset - used, issue);
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
