import { CAPITAL_Z, QUOTE } from '../../ascii.js';
import { CLOCK_LENGTH, DATE_LENGTH, isClock, isDate, isSeconds, SECONDS_LENGTH } from '../values/instant-shape.js';
import { WORD_BYTES } from './four-bytes.js';

/** Recognizes dates and times that stand in quotes, in their usual forms. Most come many times in a row, so that the last one is kept. */
export class FastInstant {
  /** The ten letters of the last date, as words of which the last two overlap. */
  #first = 0;
  #second = 0;
  #third = 0;

  constructor(private readonly mayHaveTime: boolean) {}

  /** The place behind the value that stands here, or -1 if it is in none of the usual forms. */
  match(bytes: Buffer, view: DataView, start: number): number {
    const date = start + 1;
    if (bytes[start] !== QUOTE || !this.#isDate(bytes, view, date)) return -1;
    if (bytes[date + DATE_LENGTH] === QUOTE) return date + DATE_LENGTH + 1;
    if (!this.mayHaveTime || !isClock(bytes, date + DATE_LENGTH) || !isSeconds(bytes, date + CLOCK_LENGTH)) return -1;
    const behind = date + SECONDS_LENGTH;
    if (bytes[behind] === QUOTE) return behind + 1;
    return bytes[behind] === CAPITAL_Z && bytes[behind + 1] === QUOTE ? behind + 2 : -1;
  }

  #isDate(bytes: Buffer, view: DataView, at: number): boolean {
    if (at + DATE_LENGTH > view.byteLength) return false;
    const first = view.getInt32(at, true);
    const second = view.getInt32(at + WORD_BYTES, true);
    const third = view.getInt32(at + DATE_LENGTH - WORD_BYTES, true);
    if (first === this.#first && second === this.#second && third === this.#third) return true;
    if (!isDate(bytes, at)) return false;
    this.#first = first;
    this.#second = second;
    this.#third = third;
    return true;
  }
}
