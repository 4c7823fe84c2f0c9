import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

interface Read {
  readonly accountId: string;
  readonly name: string;
}

/** Enqueues reads such as `a1 a2 b1`, whose first letter is the account. */
function queueOf(names: string, freePerUsed = 1): { queue: FairQueue<Read>; reads: Read[] } {
  const queue = new FairQueue<Read>(freePerUsed);
  const reads = names.split(' ').map((name) => ({ accountId: name.charAt(0), name }));
  for (const read of reads) queue.enqueue(read);
  return { queue, reads };
}

/** Starts reads until none may start; gives their names. */
function fill(queue: FairQueue<Read>, slots: number, used = 0): string {
  const started: string[] = [];
  for (;;) {
    const read = queue.dequeue(() => slots - used - started.length);
    if (!read) return started.join(' ');
    started.push(read.name);
  }
}

describe('FairQueue', () => {
  it('is first in, first out within an account, and round-robin between accounts', () => {
    const { queue } = queueOf('a1 a2 a3 b1 c1 b2');
    expect(fill(queue, 100)).toBe('a1 b1 c1 a2 b2 a3');
  });

  it('leaves half of the slots free of one account, a third of two, or more where it is told so', () => {
    const many = (account: string) => Array.from({ length: 20 }, (_, index) => `${account}${index}`).join(' ');
    const { queue } = queueOf(many('a'));
    expect(fill(queue, 12).split(' ')).toHaveLength(6);
    const both = queueOf(`${many('a')} ${many('b')}`).queue;
    expect(fill(both, 12).split(' ')).toHaveLength(8);
    const smaller = queueOf(many('a'), 2).queue;
    expect(fill(smaller, 12).split(' ')).toHaveLength(4);
  });

  it('has a slot for each of as many accounts as there are slots, whatever the first ones asked for', () => {
    const { queue } = queueOf(Array.from({ length: 50 }, (_, index) => `a${index}`).join(' '));
    let used = fill(queue, 12).split(' ').length;
    for (const account of 'bcdefg') {
      queue.enqueue({ accountId: account, name: account });
      expect(fill(queue, 12, used)).toBe(account);
      used += 1;
    }
    expect(used).toBe(12);
  });

  it('passes over an account at its share, which goes on once a slot of it is released', () => {
    const { queue } = queueOf('a1 a2 b1');
    expect(fill(queue, 2)).toBe('a1 b1');
    queue.release('b');
    expect(fill(queue, 2, 1)).toBe('');
    queue.release('a');
    expect(fill(queue, 2, 0)).toBe('a2');
  });

  it('forgets a read that is removed', () => {
    const { queue, reads } = queueOf('a1 a2 b1');
    for (const index of [0, 2]) queue.remove(reads[index] as Read);
    expect(fill(queue, 100)).toBe('a2');
  });

  it('lists what waits, which can be removed meanwhile', () => {
    const { queue } = queueOf('a1 b1 a2');
    const names: string[] = [];
    for (const read of queue) {
      names.push(read.name);
      queue.remove(read);
    }
    expect(names).toEqual(['a1', 'a2', 'b1']);
    expect(queue.size).toBe(0);
    expect(queue.dequeue(() => 100)).toBeUndefined();
  });

  it('asks for the free slots of each account', () => {
    const { queue } = queueOf('a1 b1');
    expect(queue.dequeue((account) => (account === 'b' ? 1 : 0))?.name).toBe('b1');
    expect(queue.dequeue(() => 0)).toBeUndefined();
  });
});
