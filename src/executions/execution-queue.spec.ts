import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ExecutionQueue } from './execution-queue.js';

/** `a1` is the first execution of account `a`. */
function waiting(executionId: string) {
  return { executionId, accountId: executionId.charAt(0), performance: 'medium' as const };
}

function queueOf(...ids: string[]): ExecutionQueue {
  const queue = new ExecutionQueue(100);
  for (const id of ids) queue.add(waiting(id));
  return queue;
}

function drain(queue: ExecutionQueue): string[] {
  const taken: string[] = [];
  for (let next = queue.take(); next; next = queue.take()) taken.push(next.executionId);
  return taken;
}

describe('ExecutionQueue', () => {
  it('is first in, first out within an account', () => {
    expect(drain(queueOf('a1', 'a2', 'a3'))).toEqual(['a1', 'a2', 'a3']);
  });

  it('lets the accounts take turns', () => {
    expect(drain(queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('forgets an execution that no longer waits', () => {
    const queue = queueOf('a1', 'a2', 'b1');
    queue.remove(waiting('a1'));
    queue.remove(waiting('b1'));
    queue.remove(waiting('z9'));
    expect(drain(queue)).toEqual(['a2']);
  });

  it('shows the next one without taking it', () => {
    const queue = queueOf('a1');
    expect(queue.peek()).toEqual(waiting('a1'));
    expect(drain(queue)).toEqual(['a1']);
    expect(queue.peek()).toBeUndefined();
  });

  it.each([
    { left: [], after: ['a1'] },
    { left: ['a2'], after: ['a1', 'a2'] },
    { left: ['b1', 'a2'], after: ['a1', 'b1', 'a2'] },
  ])('gives an execution its turn back before $left', ({ left, after }) => {
    const queue = queueOf('a1');
    const taken = queue.take();
    for (const id of left) queue.add(waiting(id));
    if (taken) queue.putBack(taken);
    expect(after.map((id) => queue.positionOf(waiting(id)))).toEqual(after.map((_, index) => index + 1));
    expect(drain(queue)).toEqual(after);
  });

  it('refuses a place when full, and gives places back', () => {
    const queue = new ExecutionQueue(2);
    queue.add(waiting('a1'));
    const place = queue.reserve();
    expect(() => queue.reserve()).toThrow('try again');
    place.release();
    place.release();
    queue.reserve();
    expect(() => queue.reserve()).toThrow('try again');
  });

  it('tells positions that are the order in which executions are taken', () => {
    const ids = fc.uniqueArray(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(99)).map(([account, n]) => account + n),
    );
    fc.assert(
      fc.property(ids, fc.nat(5), (executions, takenBefore) => {
        const queue = queueOf(...executions);
        for (let count = 0; count < takenBefore; count += 1) queue.take();
        const positions = new Map(executions.map((id) => [id, queue.positionOf(waiting(id))]));
        drain(queue).forEach((id, index) => {
          expect([id, positions.get(id)]).toEqual([id, index + 1]);
        });
      }),
    );
  });
});
