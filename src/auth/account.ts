import type { AccountId } from '../catalog/ids.js';

/** What an account is: one person, or a team that many share. */
export const ACCOUNT_TYPES = ['user', 'team'] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** What an account has paid for (`docs/contract.md`, "Plans and limits"). */
export const PLANS = ['free', 'plus', 'premium'] as const;
export type Plan = (typeof PLANS)[number];

/** Who is asking: a user or a team, whose context is what it owns. */
export interface Account {
  readonly id: AccountId;
  /** Its name on the wire and the namespace of its tables. */
  readonly handle: string;
  readonly type: AccountType;
  readonly plan: Plan;
  readonly createdAt: Date;
}
