import { isUtf8 } from 'node:buffer';
import { UnreadableBodyError } from '../../../http/common.errors.js';
import { MAX_JSON_DEPTH } from '../../../http/json-depth.js';
import { BACKSLASH, CLOSING_BRACE, CLOSING_BRACKET, OPENING_BRACE, OPENING_BRACKET, QUOTE } from '../ascii.js';

const OPENING: ReadonlySet<number> = new Set([OPENING_BRACE, OPENING_BRACKET]);
const CLOSING: ReadonlySet<number> = new Set([CLOSING_BRACE, CLOSING_BRACKET]);
/** What may follow a number or a word. */
const DELIMITERS: ReadonlySet<number> = new Set(Buffer.from(',}] \t\r\n'));

/** Collects the bytes of one small JSON value, whatever its kind, as they arrive. */
export class ValueCollector {
  readonly #fragments: Buffer[];
  readonly #isBare: boolean;
  #depth: number;
  #isInString: boolean;
  #isEscaped = false;
  #isEnded = false;

  constructor(firstByte: number) {
    this.#fragments = [Buffer.of(firstByte)];
    this.#isInString = firstByte === QUOTE;
    this.#depth = OPENING.has(firstByte) ? 1 : 0;
    this.#isBare = !this.#isInString && this.#depth === 0;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Takes more bytes, and returns the index after the value, or the length of the chunk if it goes
   * on.
   *
   * @throws UnreadableBodyError if it is nested too deeply.
   */
  write(chunk: Buffer, start: number): number {
    let end = start;
    while (end < chunk.length && !this.#isEnded) {
      const byte = chunk[end] as number;
      if (this.#isBare && DELIMITERS.has(byte)) this.#isEnded = true;
      else {
        end++;
        if (!this.#isBare) this.#take(byte);
      }
    }
    this.#fragments.push(Buffer.from(chunk.subarray(start, end)));
    return end;
  }

  /**
   * What was collected.
   *
   * @throws UnreadableBodyError
   */
  value(): unknown {
    const bytes = Buffer.concat(this.#fragments);
    if (!isUtf8(bytes)) throw new UnreadableBodyError();
    const value = parseJson(bytes.toString('utf8'));
    if (typeof value === 'string' && !value.isWellFormed()) throw new UnreadableBodyError();
    return value;
  }

  #take(byte: number): void {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) this.#isInString = false;
    } else if (byte === QUOTE) this.#isInString = true;
    else if (OPENING.has(byte)) this.#open();
    else if (CLOSING.has(byte)) this.#depth--;
    this.#isEnded = !this.#isInString && this.#depth === 0;
  }

  #open(): void {
    if (++this.#depth > MAX_JSON_DEPTH) throw new UnreadableBodyError();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableBodyError();
  }
}
