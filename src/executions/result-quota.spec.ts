import { describe, expect, it } from '@jest/globals';
import type { Plan } from '../auth/account.js';
import { Config } from '../config/config.js';
import { ResultQuota } from './result-quota.js';

const quotaOf = (settings: Partial<Config> = {}) => new ResultQuota(Object.assign(new Config(), settings));

describe('ResultQuota', () => {
  it.each<[Plan, number]>([
    ['free', 1e9],
    ['plus', 50e9],
    ['premium', 500e9],
  ])('lets the plan %s start executions below %d bytes', (plan, allowed) => {
    expect(quotaOf().findExcess({ plan, bytes: allowed - 1 })).toBeUndefined();
    expect(quotaOf().findExcess({ plan, bytes: allowed })).toMatchObject({
      kind: 'payment_required',
      details: { bytes_used: allowed, bytes_allowed: allowed },
    });
  });

  it('has no limit where the setting is 0', () => {
    expect(quotaOf({ RESULT_STORAGE_FREE: 0 }).findExcess({ plan: 'free', bytes: 1e18 })).toBeUndefined();
  });

  it.each<[Partial<Config>, { plan: Plan; bytes: number }, string]>([
    [{}, { plan: 'free', bytes: 2e9 }, ', or change to the plan plus, which allows 50 GB'],
    [{}, { plan: 'free', bytes: 60e9 }, ', or change to the plan premium, which allows 500 GB'],
    [
      { RESULT_STORAGE_PREMIUM: 0 },
      { plan: 'plus', bytes: 60e9 },
      ', or change to the plan premium, which allows any amount',
    ],
    [{}, { plan: 'premium', bytes: 600e9 }, '; no plan allows more'],
  ])('with %j says to %j how to go on', (settings, storage, end) => {
    const { message } = quotaOf(settings).findExcess(storage) ?? {};
    const way = `delete results with DELETE /api/v1/execution/{execution_id}${end}`;
    expect(message?.split(': ')[1]).toBe(way);
  });

  it('throws what it finds', () => {
    expect(() => quotaOf().require({ plan: 'free', bytes: 1e9 })).toThrow(
      'The stored results of this account take 1 GB and the plan free allows 1 GB: ',
    );
    quotaOf().require({ plan: 'free', bytes: 0 });
  });
});
