import type { Flag, Instant } from './database.js';

/** An instant for the catalog. */
export function toInstant(at: Date): Instant {
  return at.toISOString();
}

/** An instant for a nullable column. */
export function toOptionalInstant(at: Date | undefined): Instant | null {
  return at ? toInstant(at) : null;
}

/** An instant read from a nullable column. */
export function fromOptionalInstant(instant: Instant | null): Date | undefined {
  return instant === null ? undefined : new Date(instant);
}

/** A boolean for the catalog. */
export function toFlag(is: boolean): Flag {
  return is ? 1 : 0;
}

/** A whole number read from a wide column, a count or a sum: 0 for the sum of nothing. */
export function fromCount(count: number | string | bigint | null): number {
  return Number(count);
}
