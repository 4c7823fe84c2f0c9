import { PLANS, type Plan } from '../auth/account.js';

/** Bytes that the tables of an account may take (`docs/contract.md`, "Plans and limits"). */
export const STORAGE_BYTES: Readonly<Record<Plan, number>> = { free: 1e6, plus: 15e9, premium: 50e9 };

/** The smallest plan whose tables may take so much, if there is one. */
export function findPlanFor(bytes: number): Plan | undefined {
  return PLANS.find((plan) => bytes <= STORAGE_BYTES[plan]);
}
