import type { AccountId } from '../catalog/ids.js';
import type { Scope } from './scope.js';

/** A key as it is known after it was created: everything but its text. */
export interface ApiKey {
  readonly id: string;
  readonly accountId: AccountId;
  readonly name: string;
  readonly scope: Scope;
  /** First characters of its text, to distinguish keys. */
  readonly prefix: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  /** To the minute. */
  readonly lastUsedAt?: Date;
  /** Whether its text is, or was, the value of `BOOTSTRAP_API_KEY`. */
  readonly isBootstrap?: boolean;
  /** `cli` for the keys that commands of the program make for their own calls. */
  readonly trigger?: 'cli';
}

/** Whether a key opens anything at the time `now`. */
export function isValidAt(key: ApiKey, now: Date): boolean {
  return key.revokedAt === undefined && (key.expiresAt === undefined || key.expiresAt > now);
}
