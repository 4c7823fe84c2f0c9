import { BYTE_ORDER_MARK, CLOSING_BRACE, COMMA, LINE_FEED, OPENING_BRACE } from '../../ascii.js';
import { type BlockReader, countNewlines } from '../read-blocks.js';
import { JsonLineScanner } from './json-line-scanner.js';

/** Reads lines of JSON objects, block by block. Empty lines are no rows. */
export abstract class NdjsonLines implements BlockReader {
  rowCount = 0;
  /** Size of the longest line, its line feed included. */
  longestLineBytes = 0;
  /** Whether the text ends with a line feed, or is empty. */
  isEnded = true;
  protected readonly json = new JsonLineScanner();

  /** @param linesBefore lines of the text before these. */
  constructor(private readonly linesBefore = 0) {
    this.json.line = linesBefore + 1;
  }

  /** Lines that were read. */
  get lineCount(): number {
    return this.json.line - 1 - this.linesBefore;
  }

  take(bytes: Buffer, isLast: boolean): number {
    const { json } = this;
    if (json.line === 1 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK))
      this.refuse(bytes, 0, 'a byte order mark: send the text without it');
    json.bytes = bytes;
    json.at = 0;
    json.end = isLast ? bytes.length : bytes.lastIndexOf(LINE_FEED) + 1;
    if (isLast && bytes.length > 0) this.isEnded = bytes[bytes.length - 1] === LINE_FEED;
    while (json.at < json.end) {
      const start = json.at;
      if (this.skipUsualLine()) json.line++;
      else this.#takeLine(start);
      this.longestLineBytes = Math.max(this.longestLineBytes, json.at - start);
    }
    return json.end;
  }

  refuse(bytes: Buffer, offset: number, issue: string): never {
    this.json.line += countNewlines(bytes, offset);
    throw this.json.error(issue);
  }

  /** Skips a line that surely is a row, and counts it. Returns false for every other line. */
  protected skipUsualLine(): boolean {
    return false;
  }

  /** Takes a key, the colon and the value; `position` is that of the key, counted from 0. */
  protected abstract takeEntry(position: number): void;

  /** Called after each row. */
  protected endRow(): void {}

  /** Called after each line that was read token by token. */
  protected endLine(_start: number): void {}

  #takeLine(start: number): void {
    const { json } = this;
    if (json.peek() !== LINE_FEED) this.#takeRow();
    if (json.peek() !== LINE_FEED) throw json.error('one object a line, and nothing after it');
    json.at++;
    json.line++;
    this.endLine(start);
  }

  #takeRow(): void {
    const { json } = this;
    this.rowCount++;
    json.expect(OPENING_BRACE, 'an object in braces');
    if (!json.skip(CLOSING_BRACE)) {
      let position = 0;
      do this.takeEntry(position++);
      while (json.skip(COMMA));
      json.expect(CLOSING_BRACE, 'a comma or a closing brace');
    }
    this.endRow();
  }
}
