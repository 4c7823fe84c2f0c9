import { describe, expect, it } from '@jest/globals';
import { PLANS, type Plan } from '../auth/account.js';
import type { AccountId, ExecutionId } from '../catalog/ids.js';
import type { Performance } from './execution.js';
import { maxSlotsOf } from './plan-slots.js';
import type { WaitingExecution } from './waiting-execution.js';
import { WorkerSlots } from './worker-slots.js';

function execution(account: string, performance: Performance = 'medium', plan: Plan = 'premium'): WaitingExecution {
  return { executionId: account as ExecutionId, accountId: account as AccountId, plan, performance };
}

/** Starts an execution if it can start, and gives its pool. */
function start(slots: WorkerSlots, waiting: WaitingExecution) {
  const pool = slots.findPool(waiting, 'none');
  if (pool) slots.acquire(waiting, pool);
  return pool;
}

describe('maxSlotsOf', () => {
  it.each([
    { WORKERS: 1, slots: [1, 1, 1] },
    { WORKERS: 2, slots: [1, 1, 1] },
    { WORKERS: 3, slots: [1, 1, 2] },
    { WORKERS: 5, slots: [1, 2, 3] },
    { WORKERS: 9, slots: [2, 4, 6] },
  ])('gives the plans $slots of $WORKERS slots', ({ WORKERS, slots }) => {
    expect(PLANS.map((plan) => maxSlotsOf(plan, { WORKERS }))).toEqual(slots);
  });
});

describe('WorkerSlots', () => {
  it.each([
    { WORKERS: 1, pools: ['shared', undefined, undefined] },
    { WORKERS: 2, pools: ['shared', undefined, 'kept'] },
    { WORKERS: 3, pools: ['shared', 'shared', 'kept'] },
  ])('keeps the last of $WORKERS slots for accounts that run nothing', ({ WORKERS, pools }) => {
    const slots = new WorkerSlots({ WORKERS });
    expect(['a', 'a', 'b'].map((account) => start(slots, execution(account)))).toEqual(pools);
    expect(start(slots, execution('a'))).toBeUndefined();
  });

  it('keeps the last free slot also if it is a shared one', () => {
    const slots = new WorkerSlots({ WORKERS: 3 });
    const release = slots.acquire(execution('a'), 'shared');
    start(slots, execution('b'));
    expect(start(slots, execution('c'))).toBe('kept');
    release();
    expect(start(slots, execution('b'))).toBeUndefined();
    expect(start(slots, execution('a'))).toBe('shared');
  });

  it.each([
    { plan: 'free' as const, count: 2 },
    { plan: 'plus' as const, count: 4 },
    { plan: 'premium' as const, count: 6 },
  ])('lets an account of the plan $plan use $count of 9 slots', ({ plan, count }) => {
    const slots = new WorkerSlots({ WORKERS: 9 });
    const pools = Array.from({ length: 9 }, () => start(slots, execution('a', 'medium', plan)));
    expect(pools.filter(Boolean)).toHaveLength(count);
  });

  it.each([
    { WORKERS: 1, others: [undefined] },
    { WORKERS: 2, others: ['kept', undefined] },
    { WORKERS: 3, others: ['kept', undefined] },
    { WORKERS: 4, others: ['shared', 'kept', undefined] },
  ])('always leaves a slot beside a large one of $WORKERS, from two on', ({ WORKERS, others }) => {
    const slots = new WorkerSlots({ WORKERS });
    expect(start(slots, execution('a', 'large', 'free'))).toBe('shared');
    const pools = others.map((_, index) => start(slots, execution(`other ${index}`)));
    expect(pools).toEqual(others);
  });

  it('is free again after a release', () => {
    const slots = new WorkerSlots({ WORKERS: 3 });
    const release = slots.acquire(execution('a', 'large'), 'shared');
    expect([slots.isIdle('a' as AccountId), slots.isIdle('b' as AccountId)]).toEqual([false, true]);
    expect(slots.findPool(execution('b', 'large'), 'none')).toBeUndefined();
    release();
    expect(slots.isIdle('a' as AccountId)).toBe(true);
    expect(slots.findPool(execution('b', 'large'), 'none')).toBe('shared');
  });

  it('gives saved slots to no other account', () => {
    const slots = new WorkerSlots({ WORKERS: 5 });
    start(slots, execution('busy'));
    const pools = (['none', 'busy', 'all'] as const).map((savedFrom) =>
      ['busy', 'idle'].map((account) => slots.findPool(execution(account), savedFrom)),
    );
    expect(pools).toEqual([
      ['shared', 'shared'],
      [undefined, 'shared'],
      [undefined, 'kept'],
    ]);
  });
});
