import type { Config } from '../config/config.js';
import { PLANS, type Plan } from './account.js';

type ResultStorageSettings = Pick<Config, 'RESULT_STORAGE_FREE' | 'RESULT_STORAGE_PLUS' | 'RESULT_STORAGE_PREMIUM'>;

/** Bytes that the stored results of an account may take before it can start no further execution; Infinity for no limit. */
export function resultBytesAllowed(plan: Plan, settings: ResultStorageSettings): number {
  const allowed = {
    free: settings.RESULT_STORAGE_FREE,
    plus: settings.RESULT_STORAGE_PLUS,
    premium: settings.RESULT_STORAGE_PREMIUM,
  }[plan];
  return allowed === 0 ? Number.POSITIVE_INFINITY : allowed;
}

/** The smallest plan with which an account that stores so much can start executions, if there is one. */
export function findPlanForResults(bytes: number, settings: ResultStorageSettings): Plan | undefined {
  return PLANS.find((plan) => bytes < resultBytesAllowed(plan, settings));
}
