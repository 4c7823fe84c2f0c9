import { LINE_FEED } from './ascii.js';

/** A line that is no longer needs no closer look: it nests less deeply than anything that overflows the stack of the engine. */
export const SHORT_LINE_BYTES = 4_096;

/**
 * Passes over lines of at most {@link SHORT_LINE_BYTES}, while it looks at one place in so many bytes.
 *
 * @param start where a line begins.
 * @returns where the first line begins that is longer, or does not end within the bytes.
 */
export function skipShortLines(bytes: Buffer, start: number): number {
  for (let from = start; ; ) {
    const end = bytes.lastIndexOf(LINE_FEED, from + SHORT_LINE_BYTES - 1) + 1;
    if (end <= from) return from;
    from = end;
  }
}
