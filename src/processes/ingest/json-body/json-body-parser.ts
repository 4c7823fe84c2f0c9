import { InvalidRequestError, UnreadableBodyError } from '../../../http/common.errors.js';
import { BYTE_ORDER_MARK, CLOSING_BRACE, COLON, COMMA, OPENING_BRACE, QUOTE } from '../ascii.js';
import { StringUnescaper } from './string-unescaper.js';
import { ValueCollector } from './value-collector.js';

/** Fields other than `data`, keys included, all together. */
const MAX_FIELDS_BYTES = 65_536;

const SPACES: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));

/** The next token of the body. */
type Expected = 'body' | 'first-key' | 'key' | 'colon' | 'value' | 'comma' | 'end';

/**
 * Reads the JSON object of an upload as it arrives: emits the text of the field `data`, and keeps
 * all other fields, which are small. Fields may have any order. Memory is bounded, and so is the
 * work on one chunk.
 *
 * An empty body is an empty object. Everything else that is not exactly one JSON object, a field
 * that comes twice, and a `data` that is no string, are refused.
 */
export class JsonBodyParser {
  #expected: Expected = 'body';
  #text: StringUnescaper | undefined;
  #collector: ValueCollector | undefined;
  #key = '';
  #fieldsBytes = 0;
  #markBytes = 0;
  #hasBegun = false;
  readonly #keys = new Set<string>();
  readonly #fields: [string, unknown][] = [];

  /** @param emit takes the text of `data`, in order; the bytes are the caller's to keep. */
  constructor(private readonly emit: (text: Buffer) => void) {}

  /** Whether the body has a field `data`. */
  get hasData(): boolean {
    return this.#keys.has('data');
  }

  /**
   * Takes the next chunk of the body, whose bytes are overwritten.
   *
   * @throws UnreadableBodyError, InvalidRequestError
   */
  write(chunk: Buffer): void {
    let index = 0;
    while (index < chunk.length) {
      if (this.#text) index = this.#continueText(this.#text, chunk, index);
      else if (this.#collector) index = this.#continueValue(this.#collector, chunk, index);
      else this.#takeSyntax(chunk[index++] as number);
    }
  }

  /**
   * Ends the body.
   *
   * @returns the fields other than `data`.
   * @throws UnreadableBodyError if it is not whole.
   */
  end(): Record<string, unknown> {
    const isEmpty = this.#expected === 'body' && this.#isMarkWhole;
    if (!isEmpty && this.#expected !== 'end') throw new UnreadableBodyError();
    return Object.fromEntries(this.#fields);
  }

  #continueText(text: StringUnescaper, chunk: Buffer, start: number): number {
    const end = text.write(chunk, start, this.emit);
    if (text.isEnded) {
      this.#text = undefined;
      this.#expected = 'comma';
    }
    return end;
  }

  #continueValue(collector: ValueCollector, chunk: Buffer, start: number): number {
    const end = collector.write(chunk, start);
    this.#fieldsBytes += end - start;
    if (this.#fieldsBytes > MAX_FIELDS_BYTES)
      throw new InvalidRequestError(
        'The fields other than data may take at most 64 kB together: send the rows in data',
      );
    if (!collector.isEnded) return end;
    this.#collector = undefined;
    this.#takeValue(collector.value());
    return end;
  }

  #takeSyntax(byte: number): void {
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    if (SPACES.has(byte) && this.#isMarkWhole) return;
    switch (this.#expected) {
      case 'body':
        if (byte === BYTE_ORDER_MARK[this.#markBytes] && (isFirst || !this.#isMarkWhole)) this.#markBytes++;
        else this.#expect(byte === OPENING_BRACE && this.#isMarkWhole, 'first-key');
        return;
      case 'first-key':
        if (byte === CLOSING_BRACE) this.#expected = 'end';
        else this.#beginKey(byte);
        return;
      case 'key':
        this.#beginKey(byte);
        return;
      case 'colon':
        this.#expect(byte === COLON, 'value');
        return;
      case 'value':
        this.#beginValue(byte);
        return;
      case 'comma':
        if (byte === CLOSING_BRACE) this.#expected = 'end';
        else this.#expect(byte === COMMA, 'key');
        return;
      case 'end':
        throw new UnreadableBodyError();
    }
  }

  /** Whether a byte order mark, if one has begun, has ended. */
  get #isMarkWhole(): boolean {
    return this.#markBytes === 0 || this.#markBytes === BYTE_ORDER_MARK.length;
  }

  #expect(condition: boolean, next: Expected): void {
    if (!condition) throw new UnreadableBodyError();
    this.#expected = next;
  }

  #beginKey(byte: number): void {
    this.#expect(byte === QUOTE, 'key');
    this.#collector = new ValueCollector(byte);
  }

  #beginValue(byte: number): void {
    if (this.#key !== 'data') this.#collector = new ValueCollector(byte);
    else if (byte === QUOTE) this.#text = new StringUnescaper();
    else throw new InvalidRequestError('data: must be text');
  }

  /** Takes a collected key or value, whichever was expected. */
  #takeValue(value: unknown): void {
    if (this.#expected === 'value') {
      this.#fields.push([this.#key, value]);
      this.#expected = 'comma';
      return;
    }
    this.#key = String(value);
    if (this.#keys.has(this.#key)) throw new UnreadableBodyError();
    this.#keys.add(this.#key);
    this.#expected = 'colon';
  }
}
