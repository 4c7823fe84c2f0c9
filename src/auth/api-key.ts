import type { Scope } from './scope.js';

/** A key as it is known after it was created: everything but its text. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly scope: Scope;
  /** First characters of its text, to tell keys apart. */
  readonly prefix: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  /** To the minute. */
  readonly lastUsedAt?: Date;
  /** `cli` for the keys that commands of the program make for their own calls. */
  readonly trigger?: 'cli';
}

/** Whether a key opens anything at the time `now`. */
export function isValidAt(key: ApiKey, now: Date): boolean {
  return key.revokedAt === undefined && (key.expiresAt === undefined || key.expiresAt > now);
}
