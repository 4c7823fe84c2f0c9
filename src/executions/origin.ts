import type { Account } from '../auth/account.js';
import type { ApiKey } from '../auth/api-key.js';

/** What can start an execution; `api` is every call over HTTP with a key of a caller. */
export const TRIGGERS = ['console', 'api', 'schedule', 'cli'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** How an execution came to be. */
export interface Origin {
  readonly trigger: Trigger;
  /** Name of the API key, or the account's handle if a command of the program started it. */
  readonly submittedBy: string;
}

/** The origin of an execution that a request with this key starts. Commands' keys have no name. */
export function originOf(account: Account, key: ApiKey): Origin {
  if (key.trigger === 'cli') return { trigger: 'cli', submittedBy: account.handle };
  return { trigger: 'api', submittedBy: key.name };
}
