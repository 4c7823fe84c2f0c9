import type { Config } from '../config/config.js';
import { PLANS, type Plan } from './account.js';

type ResultStorageSettings = Pick<Config, 'RESULT_STORAGE_FREE' | 'RESULT_STORAGE_PLUS' | 'RESULT_STORAGE_PREMIUM'>;

/** Most bytes of stored results with which an account can start executions; Infinity for any. */
export function resultBytesAllowed(plan: Plan, settings: ResultStorageSettings): number {
  const allowed = {
    free: settings.RESULT_STORAGE_FREE,
    plus: settings.RESULT_STORAGE_PLUS,
    premium: settings.RESULT_STORAGE_PREMIUM,
  }[plan];
  return allowed === 0 ? Number.POSITIVE_INFINITY : allowed;
}

/** The smallest plan with which an account with these bytes can start executions, if any. */
export function findPlanForResults(bytes: number, settings: ResultStorageSettings): Plan | undefined {
  return PLANS.find((plan) => bytes < resultBytesAllowed(plan, settings));
}
