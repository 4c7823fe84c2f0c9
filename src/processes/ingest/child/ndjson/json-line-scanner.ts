import { MAX_JSON_DEPTH } from '../../../../http/json-depth.js';
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  LINE_FEED,
  OPENING_BRACE,
  OPENING_BRACKET,
  PLAIN_IN_STRING,
  QUOTE,
  SPACE,
  TAB,
} from '../../ascii.js';
import { ContentError, excerpt } from '../content-error.js';

export const NULL = Buffer.from('null');
export const TRUE = Buffer.from('true');
export const FALSE = Buffer.from('false');

/** 1 for the bytes that end a number or a word. */
const ENDS_BARE = new Uint8Array(256);
for (const byte of [LINE_FEED, SPACE, TAB, CARRIAGE_RETURN, COMMA, CLOSING_BRACE, COLON, QUOTE]) ENDS_BARE[byte] = 1;

/** Finds the tokens of lines of JSON. A token never reaches beyond its line. */
export class JsonLineScanner {
  bytes: Buffer = Buffer.alloc(0);
  /** Where lines end: after the last one that is whole. */
  end = 0;
  at = 0;
  /** Number of the line, counted from 1. */
  line = 1;
  /** The last string, without its quotes, or word or number. */
  tokenStart = 0;
  tokenEnd = 0;
  hasEscapes = false;

  /** The next byte that is no white space; a line feed at the end of each line. */
  peek(): number {
    const { bytes, end } = this;
    let { at } = this;
    while (at < end && (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === CARRIAGE_RETURN)) at++;
    this.at = at;
    return at < end ? (bytes[at] as number) : LINE_FEED;
  }

  /** Takes the next byte if it is this one. */
  skip(byte: number): boolean {
    if (this.peek() !== byte) return false;
    this.at++;
    return true;
  }

  /** Takes the next byte, which must be this one. */
  expect(byte: number, what: string): void {
    if (!this.skip(byte)) throw this.error(`${what} should stand before ${this.#rest()}`);
  }

  /** Takes the next key. */
  takeKey(): void {
    if (this.peek() !== QUOTE) this.expect(QUOTE, 'a key in quotes');
    this.takeString();
  }

  /** Takes a string. */
  takeString(): void {
    const { bytes, end } = this;
    let at = this.at + 1;
    this.tokenStart = at;
    this.hasEscapes = false;
    for (;;) {
      while (at < end && PLAIN_IN_STRING[bytes[at] as number] === 1) at++;
      if (at >= end || (bytes[at] !== QUOTE && bytes[at] !== BACKSLASH))
        throw this.error('a string does not end, or holds a control character that is not escaped');
      if (bytes[at] === QUOTE) break;
      this.hasEscapes = true;
      // Whatever is escaped is no end of the string; `string` looks at it closely.
      at += bytes[at + 1] === LINE_FEED ? 1 : 2;
    }
    this.tokenEnd = at;
    this.at = at + 1;
  }

  /** Takes what stands up to the end of a word or number. */
  takeBare(): void {
    const { bytes, end } = this;
    let { at } = this;
    this.tokenStart = at;
    while (at < end && ENDS_BARE[bytes[at] as number] === 0) at++;
    this.tokenEnd = at;
    this.at = at;
  }

  /**
   * The end of the value that begins at an offset, judged by its brackets, commas and line only,
   * for a message.
   *
   * @throws ContentError if the value is nested too deeply.
   */
  endOfValue(start: number): number {
    const { bytes, end } = this;
    let depth = 0;
    let isInString = false;
    for (let at = start; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte === LINE_FEED) return at;
      if (isInString) {
        if (byte === BACKSLASH) at++;
        else if (byte === QUOTE) isInString = false;
      } else if (byte === QUOTE) isInString = true;
      else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        if (++depth > MAX_JSON_DEPTH) throw this.error(`a value is nested more than ${MAX_JSON_DEPTH} levels deep`);
      } else if (depth === 0 && ENDS_BARE[byte] === 1) return Math.max(at, start + 1);
      else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) depth--;
    }
    return end;
  }

  /** The last string, its escapes resolved. */
  string(): string {
    if (!this.hasEscapes) return this.bytes.toString('utf8', this.tokenStart, this.tokenEnd);
    const text = parseString(this.bytes.toString('utf8', this.tokenStart - 1, this.tokenEnd + 1));
    if (text === undefined || !text.isWellFormed()) throw this.error('a string holds an escape that is none');
    if (text.includes('\0')) throw this.error('a NUL character');
    return text;
  }

  /** Whether the last string is written like this, or the last word or number is this one. */
  isToken(word: Buffer): boolean {
    const { bytes, tokenStart } = this;
    if (this.tokenEnd - tokenStart !== word.length) return false;
    for (let index = 0; index < word.length; index++) if (bytes[tokenStart + index] !== word[index]) return false;
    return true;
  }

  error(issue: string): ContentError {
    const { line } = this;
    return new ContentError({ code: 'invalid_ndjson', message: `line ${line}: ${issue}`, details: { line } });
  }

  /** What is left of the line, for a message. */
  #rest(): string {
    const newline = this.bytes.indexOf(LINE_FEED, this.at);
    const lineEnd = newline < 0 || newline > this.end ? this.end : newline;
    return this.at >= lineEnd ? 'the end of the line' : `'${excerpt(this.bytes, this.at, lineEnd)}'`;
  }
}

function parseString(json: string): string | undefined {
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
}
