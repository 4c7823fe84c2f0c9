import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PLANS } from '../auth/account.js';
import type { AccountId, ExecutionId } from '../catalog/ids.js';
import type { Performance } from './execution.js';
import { ExecutionQueue, MAX_PASSES } from './execution-queue.js';
import { slotsFor } from './run-classes.js';
import type { WaitingExecution } from './waiting-execution.js';
import { WorkerSlots } from './worker-slots.js';

/** `a1` is a medium execution of account `a`, `A1` a large one of the same account. */
function waiting(name: string): WaitingExecution {
  const accountId = name.charAt(0).toLowerCase() as AccountId;
  const performance: Performance = name.startsWith(accountId) ? 'medium' : 'large';
  return { executionId: name as ExecutionId, accountId, plan: 'premium', performance };
}

/** Queue and slots as the runner uses them; an execution runs until it is ended. */
class Scheduling {
  readonly queue = new ExecutionQueue({ perAccount: 1_000, total: 1_000 });
  readonly slots: WorkerSlots;
  readonly running = new Map<string, { release: () => void; waiting: WaitingExecution }>();

  constructor(WORKERS: number) {
    this.slots = new WorkerSlots({ WORKERS });
  }

  /** Queues executions, and gives those that start. */
  submit(...executions: (string | WaitingExecution)[]): string[] {
    for (const one of executions) this.queue.add(typeof one === 'string' ? waiting(one) : one);
    return this.schedule();
  }

  /** Ends executions, and gives those that start then. */
  end(...ids: string[]): string[] {
    for (const id of ids) {
      this.running.get(id)?.release();
      this.running.delete(id);
    }
    return this.schedule();
  }

  schedule(): string[] {
    const started: string[] = [];
    for (let next = this.queue.takeNext(this.slots); next; next = this.queue.takeNext(this.slots)) {
      const { waiting, pool } = next;
      this.running.set(waiting.executionId, { release: this.slots.acquire(waiting, pool), waiting });
      started.push(waiting.executionId);
    }
    return started;
  }
}

describe('scheduling', () => {
  it('leaves a slot to an account that runs nothing', () => {
    const scheduling = new Scheduling(2);
    expect(scheduling.submit('a1', 'a2', 'a3')).toEqual(['a1']);
    expect(scheduling.submit('b1')).toEqual(['b1']);
    expect(scheduling.end('b1')).toEqual([]);
    expect(scheduling.end('a1')).toEqual(['a2']);
  });

  it('lets every account pass one that is at its limit, without bound', () => {
    const scheduling = new Scheduling(2);
    scheduling.submit('a1', 'a2');
    for (let run = 0; run < 3 * MAX_PASSES; run += 1) {
      expect(scheduling.submit(`b${run}`)).toEqual([`b${run}`]);
      scheduling.end(`b${run}`);
    }
  });

  it('lets executions pass a large one that waits for slots a bounded number of times', () => {
    const scheduling = new Scheduling(3);
    scheduling.submit('a1');
    expect(scheduling.submit('B1')).toEqual([]);
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      expect(scheduling.submit(`c${pass}`)).toEqual([`c${pass}`]);
      scheduling.end(`c${pass}`);
    }
    expect(scheduling.submit('c8', 'd1')).toEqual(['c8']);
    expect(scheduling.end('a1')).toEqual(['B1']);
    expect(scheduling.end('c8')).toEqual(['d1']);
  });

  it('still has the kept slot for accounts that run nothing while shared slots are saved', () => {
    const scheduling = new Scheduling(3);
    scheduling.submit('a1', 'B1');
    for (let pass = 0; pass < 3 * MAX_PASSES; pass += 1) {
      expect(scheduling.submit(`c${pass}`)).toEqual([`c${pass}`]);
      scheduling.end(`c${pass}`);
    }
    expect(scheduling.end('a1')).toEqual(['B1']);
  });

  it('gives no further shared slot to an account that runs something while another waits for it', () => {
    const scheduling = new Scheduling(4);
    scheduling.submit('a1', 'c1');
    expect(scheduling.submit('B1', 'a2')).toEqual([]);
    expect(scheduling.end('c1')).toEqual(['B1']);
  });

  it('lets the medium executions of an account pass its large one, which cannot start yet, a bounded number of times', () => {
    const scheduling = new Scheduling(3);
    scheduling.submit('a1', 'A2');
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      expect(scheduling.submit(`a${pass + 3}`)).toEqual([`a${pass + 3}`]);
      scheduling.end(`a${pass + 3}`);
    }
    expect(scheduling.submit('a99')).toEqual([]);
    expect(scheduling.end('a1')).toEqual(['A2']);
    expect(scheduling.end('A2')).toEqual(['a99']);
  });

  it('starts what a removed large one was waited for', () => {
    const scheduling = new Scheduling(3);
    scheduling.submit('a1', 'B1');
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      scheduling.submit(`c${pass}`);
      scheduling.end(`c${pass}`);
    }
    expect(scheduling.submit('d1', 'c8')).toEqual(['d1']);
    scheduling.queue.remove(waiting('B1'));
    expect(scheduling.schedule()).toEqual(['c8']);
  });

  const executions = fc.array(
    fc.record({
      account: fc.constantFrom('a', 'b', 'c'),
      performance: fc.constantFrom<Performance>('medium', 'large'),
      endsBefore: fc.nat(3),
    }),
    { maxLength: 60 },
  );

  it('uses no more slots than there are, never lets a busy account take the last, and starts everything', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.constantFrom(...PLANS), executions, (WORKERS, plan, workload) => {
        const scheduling = new Scheduling(WORKERS);
        const started = new Set<string>();
        const usedBy = (accountId?: string) =>
          [...scheduling.running.values()]
            .filter(({ waiting }) => accountId === undefined || waiting.accountId === accountId)
            .reduce((sum, { waiting }) => sum + slotsFor(waiting.performance, { WORKERS }), 0);
        const note = (ids: string[]) => {
          for (const id of ids) started.add(id);
          expect(usedBy()).toBeLessThanOrEqual(WORKERS);
          for (const account of ['a', 'b', 'c']) expect(usedBy(account)).toBeLessThanOrEqual(Math.max(1, WORKERS - 1));
        };
        workload.forEach(({ account, performance, endsBefore }, index) => {
          const ended = [...scheduling.running.keys()].slice(0, endsBefore);
          note(scheduling.end(...ended));
          note(
            scheduling.submit({
              executionId: `${index}` as ExecutionId,
              accountId: account as AccountId,
              plan,
              performance,
            }),
          );
        });
        while (scheduling.running.size > 0) note(scheduling.end([...scheduling.running.keys()][0] ?? ''));
        expect(started.size).toBe(workload.length);
      }),
    );
  });
});
