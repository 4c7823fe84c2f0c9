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
