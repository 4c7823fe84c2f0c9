import { BACKSLASH, QUOTE, SPACE } from '../../ascii.js';

/** Bytes that are looked at in one go, as an integer. */
export const WORD_BYTES = 4;

/** Four letters as the word that they are in memory. */
export function toWord(letters: string): number {
  return Buffer.from(letters).readInt32LE();
}

const LOWEST_BITS = 0x01010101;
const HIGHEST_BITS = 0x80808080 | 0;
const QUOTES = QUOTE * LOWEST_BITS;
const BACKSLASHES = BACKSLASH * LOWEST_BITS;
const SPACES = SPACE * LOWEST_BITS;

/** Whether one of four bytes is a quote, a backslash or a control character. A byte that is 0 borrows from the bit above its own. */
export function hasSpecial(word: number): boolean {
  const quotes = word ^ QUOTES;
  const backslashes = word ^ BACKSLASHES;
  const found =
    ((quotes - LOWEST_BITS) & ~quotes) | ((backslashes - LOWEST_BITS) & ~backslashes) | ((word - SPACES) & ~word);
  return (found & HIGHEST_BITS) !== 0;
}

const HIGH_NIBBLES = 0xf0f0f0f0 | 0;
const DIGIT_NIBBLES = 0x30303030;
/** Lifts what is above 9 into the high nibble. */
const SIXES = 0x06060606;

/** Whether four bytes are digits. */
export function areDigits(word: number): boolean {
  return (word & HIGH_NIBBLES) === DIGIT_NIBBLES && ((word + SIXES) & HIGH_NIBBLES) === DIGIT_NIBBLES;
}
