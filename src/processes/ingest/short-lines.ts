import { LINE_FEED } from './ascii.js';

/** A line of at most this length cannot be nested so deeply that the engine overflows its stack. */
export const SHORT_LINE_BYTES = 4_096;

/**
 * Skips lines of at most {@link SHORT_LINE_BYTES}. It inspects the bytes at steps of that size only.
 *
 * @param start where a line begins.
 * @returns the start of the first line that is longer or incomplete.
 */
export function skipShortLines(bytes: Buffer, start: number): number {
  for (let from = start; ; ) {
    const end = bytes.lastIndexOf(LINE_FEED, from + SHORT_LINE_BYTES - 1) + 1;
    if (end <= from) return from;
    from = end;
  }
}
