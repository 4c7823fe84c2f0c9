import type { Flag, Instant } from './database.js';

/** The catalog's form of an instant. */
export function toInstant(at: Date): Instant {
  return at.toISOString();
}

/** The catalog's form of an instant that may be missing. */
export function toOptionalInstant(at: Date | undefined): Instant | null {
  return at ? toInstant(at) : null;
}

/** An instant read from a nullable column. */
export function fromOptionalInstant(instant: Instant | null): Date | undefined {
  return instant === null ? undefined : new Date(instant);
}

/** The catalog's form of a boolean. */
export function toFlag(is: boolean): Flag {
  return is ? 1 : 0;
}

/** A whole number read from a wide column, a count or a sum: 0 if there was nothing to add up. */
export function fromCount(count: number | string | bigint | null): number {
  return Number(count);
}
