import { open } from 'node:fs/promises';
import { LINE_FEED, QUOTE } from '../../ascii.js';
import { readBlocks } from '../read-blocks.js';
import { CsvHeader } from './csv-header.js';
import { BARE_WITH_QUOTES, type CsvRecord, QUOTED, QUOTED_WITH_QUOTES } from './csv-record.js';
import { type CsvLayout, CsvScanner } from './csv-scanner.js';

/** Up to here a loop is faster than a call. */
const SHORT = 64;

/**
 * Writes the records of a well-formed CSV text unambiguously: LF at the end of
 * lines, no byte order mark, no empty lines if there are several columns, a cell for each named
 * column and no other, and quotes only around a cell or doubled inside quotes.
 */
export async function writeCanonicalCsv(
  source: string,
  target: string,
  header: CsvHeader,
  layout: CsvLayout,
): Promise<void> {
  const file = await open(target, 'wx', 0o600);
  try {
    const output = new CsvOutput(layout.delimiter);
    const scanner = new CsvScanner((record) => {
      if (record.line === 1 || header.isData(record)) output.write(record, header.names.length);
    }, layout);
    await readBlocks(source, {
      take: (bytes, isLast) => {
        output.makeRoom(bytes.length);
        return scanner.take(bytes, isLast);
      },
      refuse: (bytes, offset, issue) => scanner.refuse(bytes, offset, issue),
      flush: () => file.writeFile(output.drain()),
    });
  } finally {
    await file.close();
  }
}

/** The records of one block, as they are written. */
class CsvOutput {
  #bytes = Buffer.alloc(0);
  #length = 0;
  readonly #delimiter: number;

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** A block of quotes and delimiters alone becomes at most four times as long. */
  makeRoom(pieceLength: number): void {
    if (this.#bytes.length < 4 * pieceLength + 4) this.#bytes = Buffer.allocUnsafe(4 * pieceLength + 4);
  }

  /** What was written since the last time; valid until more is written. */
  drain(): Buffer {
    const written = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return written;
  }

  write(record: CsvRecord, cellCount: number): void {
    for (let index = 0; index < cellCount; index++) {
      if (index > 0) this.#bytes[this.#length++] = this.#delimiter;
      if (index < record.count) this.#writeCell(record, index);
    }
    this.#bytes[this.#length++] = LINE_FEED;
  }

  #writeCell({ bytes, starts, ends, quotings }: CsvRecord, index: number): void {
    const start = starts[index] as number;
    const end = ends[index] as number;
    const quoting = quotings[index];
    if (quoting === BARE_WITH_QUOTES) {
      this.#writeQuoting(bytes, start, end);
      return;
    }
    const isQuoted = quoting === QUOTED || quoting === QUOTED_WITH_QUOTES;
    // The quotes stand around the text.
    this.#copy(bytes, isQuoted ? start - 1 : start, isQuoted ? end + 1 : end);
  }

  #copy(bytes: Buffer, start: number, end: number): void {
    if (end - start > SHORT) this.#length += bytes.copy(this.#bytes, this.#length, start, end);
    else for (let at = start; at < end; at++) this.#bytes[this.#length++] = bytes[at] as number;
  }

  #writeQuoting(bytes: Buffer, start: number, end: number): void {
    this.#bytes[this.#length++] = QUOTE;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) this.#bytes[this.#length++] = QUOTE;
      this.#bytes[this.#length++] = byte;
    }
    this.#bytes[this.#length++] = QUOTE;
  }
}
