import type { Plan } from '../auth/account.js';
import type { Config } from '../config/config.js';

type Workers = Pick<Config, 'WORKERS'>;

/** The part of the shared slots that the executions of one account may take together, by plan. */
const SHARE_OF_SLOTS: Readonly<Record<Plan, number>> = { free: 1 / 4, plus: 1 / 2, premium: 3 / 4 };

/** Worker slots that accounts share: all but the kept one, which exists from two workers on. */
export function sharedSlots({ WORKERS }: Workers): number {
  return Math.max(1, WORKERS - 1);
}

/** Worker slots that an account of a plan may use at the same time, at least one. */
export function maxSlotsOf(plan: Plan, workers: Workers): number {
  return Math.ceil(SHARE_OF_SLOTS[plan] * sharedSlots(workers));
}
