import { UnreadableBodyError } from '../../../http/common.errors.js';
import { BACKSLASH, PLAIN_IN_STRING, QUOTE, SHORT_ESCAPES, SMALL_U } from '../ascii.js';

/** What is still to come of an escape: its letter, or one of the hex digits of a `\u`. */
type EscapeState = 'none' | 'letter' | 'hex';

/**
 * Turns the inside of a JSON string into its UTF-8 text as it arrives. Chunks may be cut anywhere,
 * also within an escape or a character.
 *
 * Text outside escapes passes as it is: whether it is UTF-8 is not checked here.
 */
export class StringUnescaper {
  #escape: EscapeState = 'none';
  #hexDigits = '';
  /** The first half of a pair, until its second half follows. */
  #highSurrogate = 0;
  #isEnded = false;

  /** Whether the closing quote has come. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /**
   * Takes more of the string, from `start` on, and gives its text to `emit`. The chunk's bytes are
   * overwritten, as text is never longer than its escaped form.
   *
   * @returns the index after the closing quote, or the length of the chunk if the string goes on.
   * @throws UnreadableBodyError
   */
  write(chunk: Buffer, start: number, emit: (text: Buffer) => void): number {
    let from = start;
    let to = start;
    while (from < chunk.length && !this.#isEnded) {
      if (this.#escape !== 'none' || this.#highSurrogate !== 0) {
        const text = this.#continueEscape(chunk[from++] as number);
        // Only an escape that began in an earlier chunk can be longer than what was read of this
        // one.
        if (to + text.length > from) emit(Buffer.from(text));
        else for (const byte of text) chunk[to++] = byte;
        continue;
      }
      while (from < chunk.length && PLAIN_IN_STRING[chunk[from] as number] === 1) chunk[to++] = chunk[from++] as number;
      if (from === chunk.length) break;
      const byte = chunk[from++];
      const short = from < chunk.length ? (SHORT_ESCAPES[chunk[from] as number] as number) : 0;
      if (byte === QUOTE) this.#isEnded = true;
      else if (byte !== BACKSLASH) throw new UnreadableBodyError();
      else if (short === 0) this.#escape = 'letter';
      else {
        chunk[to++] = short;
        from++;
      }
    }
    if (to > start) emit(chunk.subarray(start, to));
    return from;
  }

  /** Takes the next byte of an escape or pair of escapes; returns the text that it completes. */
  #continueEscape(byte: number): readonly number[] {
    switch (this.#escape) {
      case 'hex':
        return this.#continueHex(byte);
      case 'none':
        if (byte !== BACKSLASH) throw new UnreadableBodyError();
        this.#escape = 'letter';
        return [];
      case 'letter':
        return this.#takeLetter(byte);
    }
  }

  #takeLetter(byte: number): readonly number[] {
    if (byte === SMALL_U) {
      this.#escape = 'hex';
      return [];
    }
    const code = SHORT_ESCAPES[byte];
    if (!code || this.#highSurrogate !== 0) throw new UnreadableBodyError();
    this.#escape = 'none';
    return [code];
  }

  #continueHex(byte: number): readonly number[] {
    this.#hexDigits += String.fromCharCode(byte);
    if (this.#hexDigits.length < 4) return [];
    if (!/^[0-9a-fA-F]{4}$/.test(this.#hexDigits)) throw new UnreadableBodyError();
    const unit = Number.parseInt(this.#hexDigits, 16);
    this.#hexDigits = '';
    this.#escape = 'none';
    return this.#takeUnit(unit);
  }

  /** Takes a UTF-16 unit; the UTF-8 of the character that it completes. */
  #takeUnit(unit: number): readonly number[] {
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (isLow !== (this.#highSurrogate !== 0)) throw new UnreadableBodyError();
    if (unit >= 0xd800 && unit <= 0xdbff) {
      this.#highSurrogate = unit;
      return [];
    }
    const text = isLow ? String.fromCharCode(this.#highSurrogate, unit) : String.fromCharCode(unit);
    this.#highSurrogate = 0;
    return [...Buffer.from(text)];
  }
}
