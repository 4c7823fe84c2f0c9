import { expect } from '@jest/globals';

/** An instant as it stands on the wire, such as `2026-03-01T10:20:30.123Z`. */
export const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** An execution id. */
export const ULID = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/);

/** SQL that does not end by itself, and needs little memory. */
export const ENDLESS =
  'SELECT count(*) FROM range(100000) a, range(100000) b, range(100000) c WHERE a.range * b.range * c.range = -1';

/**
 * Expects that a body has no key with the value null, result rows apart: keys that do not apply are
 * absent.
 */
export function expectNoNullKeys(body: unknown, path = ''): void {
  if (path.endsWith('.rows')) return;
  if (body === null) throw new Error(`${path} is null`);
  if (typeof body !== 'object') return;
  for (const [name, value] of Object.entries(body)) expectNoNullKeys(value, `${path}.${name}`);
}
