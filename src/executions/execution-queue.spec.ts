import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AccountId, ExecutionId } from '../catalog/ids.js';
import { ExecutionQueue } from './execution-queue.js';
import { AccountQueueFullError, QueueFullError } from './executions.errors.js';
import type { WaitingExecution } from './waiting-execution.js';
import { WorkerSlots } from './worker-slots.js';

const A = 'a' as AccountId;
const B = 'b' as AccountId;
const C = 'c' as AccountId;

/** `a1` is the first execution of account `a`. */
function waiting(name: string): WaitingExecution {
  const accountId = name.charAt(0) as AccountId;
  return { executionId: name as ExecutionId, accountId, plan: 'premium', performance: 'medium' };
}

function emptyQueue(perAccount = 100, total = 100): ExecutionQueue {
  return new ExecutionQueue({ perAccount, total });
}

function queueOf(...ids: string[]): ExecutionQueue {
  const queue = emptyQueue();
  for (const id of ids) queue.add(waiting(id));
  return queue;
}

/** Slots that no execution takes, so that each one can start. */
const FREE = new WorkerSlots({ WORKERS: 1 });

function take(queue: ExecutionQueue): WaitingExecution | undefined {
  return queue.takeNext(FREE)?.waiting;
}

function drain(queue: ExecutionQueue): string[] {
  const taken: string[] = [];
  for (let next = take(queue); next; next = take(queue)) taken.push(next.executionId);
  return taken;
}

describe('ExecutionQueue', () => {
  it('is first in, first out within an account', () => {
    expect(drain(queueOf('a1', 'a2', 'a3'))).toEqual(['a1', 'a2', 'a3']);
  });

  it('is round-robin between accounts', () => {
    expect(drain(queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('forgets an execution that no longer waits', () => {
    const queue = queueOf('a1', 'a2', 'b1');
    for (const id of ['a1', 'b1', 'z9']) queue.remove(waiting(id));
    expect(drain(queue)).toEqual(['a2']);
  });

  it.each([
    { left: [], after: ['a1'] },
    { left: ['a2'], after: ['a1', 'a2'] },
    { left: ['b1', 'a2'], after: ['a1', 'b1', 'a2'] },
  ])('requeues an execution before $left', ({ left, after }) => {
    const queue = queueOf('a1');
    const taken = take(queue);
    for (const id of left) queue.add(waiting(id));
    if (taken) queue.requeue(taken);
    expect(after.map((id) => queue.positionOf(waiting(id)))).toEqual(after.map((_, index) => index + 1));
    expect(drain(queue)).toEqual(after);
  });

  it('reports positions that are the order in which executions are taken', () => {
    const ids = fc.uniqueArray(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(99)).map(([account, n]) => account + n),
    );
    fc.assert(
      fc.property(ids, fc.nat(5), (executions, takenBefore) => {
        const queue = queueOf(...executions);
        for (let count = 0; count < takenBefore; count += 1) take(queue);
        const positions = new Map(executions.map((id) => [id, queue.positionOf(waiting(id))]));
        drain(queue).forEach((id, index) => {
          expect([id, positions.get(id)]).toEqual([id, index + 1]);
        });
      }),
    );
  });
});

describe('ExecutionQueue.reserve', () => {
  it('refuses an account as many as it may have waiting, and no other account', () => {
    const queue = emptyQueue(2, 100);
    queue.add(waiting('a1'));
    const place = queue.reserve(A);
    expect(() => queue.reserve(A)).toThrow(AccountQueueFullError);
    expect(() => queue.reserve(A)).toThrow('The account has 2 executions waiting');
    queue.reserve(B);
    place.release();
    place.release();
    queue.reserve(A);
    expect(() => queue.reserve(A)).toThrow(AccountQueueFullError);
  });

  it('counts what waits, not what was taken', () => {
    const queue = emptyQueue(1, 100);
    queue.add(waiting('a1'));
    take(queue);
    expect(() => queue.reserve(A).release()).not.toThrow();
  });

  it('refuses a further execution once as many of all accounts wait as may', () => {
    const queue = emptyQueue(10, 3);
    for (const id of ['a1', 'a2', 'b1']) queue.add(waiting(id));
    expect(() => queue.reserve(A)).toThrow(QueueFullError);
    expect(() => queue.reserve(B)).toThrow('The service has 3 executions waiting');
  });

  it('has room for the first execution of each account, however many of others wait', () => {
    const queue = emptyQueue(10, 3);
    for (const id of ['a1', 'a2', 'a3', 'a4']) queue.add(waiting(id));
    queue.reserve(B);
    expect(() => queue.reserve(B)).toThrow(QueueFullError);
    queue.reserve(C).release();
    queue.reserve(C);
  });

  it('names the bound of the account first', () => {
    const queue = emptyQueue(1, 1);
    queue.add(waiting('a1'));
    expect(() => queue.reserve(A)).toThrow(AccountQueueFullError);
  });
});
