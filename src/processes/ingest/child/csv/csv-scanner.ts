import { BYTE_ORDER_MARK, CARRIAGE_RETURN, LINE_FEED, QUOTE } from '../../ascii.js';
import type { ContentError } from '../content-error.js';
import { type BlockReader, countNewlines } from '../read-blocks.js';
import { csvValueError } from './csv-error.js';
import { BARE, BARE_WITH_QUOTES, CsvRecord, QUOTED, QUOTED_WITH_QUOTES } from './csv-record.js';

/** 1 for the bytes that neither may end a quoted cell nor are part of any line break. */
const PLAIN_QUOTED = new Uint8Array(256).fill(1);
for (const byte of [QUOTE, LINE_FEED, CARRIAGE_RETURN]) PLAIN_QUOTED[byte] = 0;

/** How a CSV text is divided into cells. */
export interface CsvLayout {
  /** One ASCII character. */
  readonly delimiter: string;
  /** Whether the first record names the columns. */
  readonly hasHeader: boolean;
}

/** What readers of a CSV text need besides its layout; found by a scan. */
export interface CsvDialect extends CsvLayout {
  hasByteOrderMark: boolean;
  /** Whether a cell spans lines, also those that carriage returns alone would make. */
  hasQuotedNewline: boolean;
  /** Whether the engine could understand the text in another way: see `writeCanonicalCsv`. */
  isUnusual: boolean;
  /** Size of the longest record. */
  longestRecordBytes: number;
}

const COMMA_WITH_HEADER: CsvLayout = { delimiter: ',', hasHeader: true };

/** The record continues after the end of the block. */
const CUT = -1;

/**
 * Finds the records and cells of a CSV text: cells separated by a delimiter, optionally in double
 * quotes, with a quote inside them doubled; records ended by LF or CR LF, also mixed. A quote
 * inside a bare cell is part of its text.
 */
export class CsvScanner implements BlockReader {
  readonly dialect: CsvDialect;
  readonly #delimiter: number;
  /** 1 for the bytes that neither end a bare cell nor are special in it. */
  readonly #plainBare = new Uint8Array(256).fill(1);
  readonly #record = new CsvRecord();
  /** Line of the next record. */
  #line = 1;
  /** Lines that the record under way has ended. */
  #linesWithin = 0;
  /** What ended the first record. */
  #newline: 'LF' | 'CR LF' | undefined;
  #isFirstPiece = true;
  /** Names of the columns: the values of the first record. */
  #names: readonly string[] | undefined;

  /** @param onRecord called for each record, in order; it must not keep the record. */
  constructor(
    private readonly onRecord: (record: CsvRecord) => void,
    private readonly layout: CsvLayout = COMMA_WITH_HEADER,
  ) {
    this.dialect = {
      ...layout,
      hasByteOrderMark: false,
      hasQuotedNewline: false,
      isUnusual: false,
      longestRecordBytes: 0,
    };
    this.#delimiter = layout.delimiter.charCodeAt(0);
    for (const byte of [QUOTE, this.#delimiter, LINE_FEED, CARRIAGE_RETURN]) this.#plainBare[byte] = 0;
  }

  take(bytes: Buffer, isLast: boolean): number {
    let start = 0;
    if (this.#isFirstPiece && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
      start = BYTE_ORDER_MARK.length;
      this.dialect.hasByteOrderMark = true;
    }
    this.#isFirstPiece = false;
    this.#record.bytes = bytes;
    while (start < bytes.length) {
      const end = this.#scanRecord(bytes, start, isLast);
      if (end === CUT) return start;
      this.#record.line = this.#line;
      this.#line += this.#linesWithin + 1;
      this.#names ??= this.layout.hasHeader ? this.#record.texts() : [];
      this.dialect.longestRecordBytes = Math.max(this.dialect.longestRecordBytes, end - start);
      this.onRecord(this.#record);
      start = end;
    }
    return start;
  }

  refuse(bytes: Buffer, offset: number, issue: string): never {
    const before = new CsvScanner(() => {}, this.layout);
    before.#line = this.#line;
    before.#names = this.#names;
    before.#isFirstPiece = this.#isFirstPiece;
    const used = before.take(bytes.subarray(0, offset), false);
    const position = used === offset ? 1 : before.#record.count + 1;
    throw before.#error(issue, position, this.#line + countNewlines(bytes, offset));
  }

  refuseRecord(issue: string): never {
    throw this.#error(issue, this.#record.count + 1, this.#line);
  }

  /** Scans one record into `#record`; returns the offset after it. */
  #scanRecord(bytes: Buffer, start: number, isLast: boolean): number {
    const record = this.#record;
    record.count = 0;
    this.#linesWithin = 0;
    let at = start;
    for (;;) {
      at = bytes[at] === QUOTE ? this.#scanQuoted(bytes, at, isLast) : this.#scanBare(bytes, at, isLast);
      if (at === CUT || at >= bytes.length) return at;
      const byte = bytes[at++];
      if (byte === this.#delimiter) {
        if (at < bytes.length) continue;
        if (!isLast) return CUT;
        record.add(at, at, BARE);
        return at;
      }
      if (byte === LINE_FEED) return this.#endRecord('LF', at);
      // A carriage return.
      if (at === bytes.length && !isLast) return CUT;
      if (bytes[at] === LINE_FEED) return this.#endRecord('CR LF', at + 1);
      throw this.#error('a carriage return without a line feed: end lines with LF or CR LF', record.count);
    }
  }

  #endRecord(newline: 'LF' | 'CR LF', end: number): number {
    this.#newline ??= newline;
    if (this.#newline !== newline) this.dialect.isUnusual = true;
    return end;
  }

  /** Scans a cell without quotes around it; returns the offset of the byte that ends it. */
  #scanBare(bytes: Buffer, start: number, isLast: boolean): number {
    const { length } = bytes;
    const plain = this.#plainBare;
    let quoting = BARE;
    let at = start;
    for (;;) {
      while (at < length && plain[bytes[at] as number] === 1) at++;
      if (bytes[at] !== QUOTE) break;
      quoting = BARE_WITH_QUOTES;
      this.dialect.isUnusual = true;
      at++;
    }
    if (at === length && !isLast) return CUT;
    this.#record.add(start, at, quoting);
    return at;
  }

  /** Scans a cell in quotes; returns the offset of the byte after them. */
  #scanQuoted(bytes: Buffer, start: number, isLast: boolean): number {
    const { length } = bytes;
    const line = this.#line + this.#linesWithin;
    let quoting = QUOTED;
    let at = start + 1;
    for (;;) {
      while (at < length && PLAIN_QUOTED[bytes[at] as number] === 1) at++;
      if (at === length) {
        if (!isLast) return CUT;
        throw this.#error('the quote that opens here is never closed', this.#record.count + 1, line);
      }
      if (bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN) {
        if (bytes[at] === LINE_FEED) this.#linesWithin++;
        this.dialect.hasQuotedNewline = true;
      } else if (bytes[at + 1] === QUOTE) {
        quoting = QUOTED_WITH_QUOTES;
        at++;
      } else break;
      at++;
    }
    const end = at++;
    if (at === length && !isLast) return CUT;
    const next = bytes[at];
    if (at < length && next !== this.#delimiter && next !== LINE_FEED && next !== CARRIAGE_RETURN)
      throw this.#error(
        'text after the closing quote: put all of it between them, with each quote doubled',
        this.#record.count + 1,
      );
    this.#record.add(start + 1, end, quoting);
    return at;
  }

  #error(issue: string, position: number, line = this.#line + this.#linesWithin): ContentError {
    const column = this.#names?.[position - 1];
    return csvValueError(issue, { line, position, ...(column && { column }) });
  }
}
