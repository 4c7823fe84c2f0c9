import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { findChildren } from '../../../test/support/child-processes.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { until } from '../../../test/support/until.js';
import type { Child } from './child.js';
import { ChildEndedError, ChildNotReadyError } from './child-exit.js';
import { type Lease, PoolClosedError, type PoolOptions, ProcessPool } from './process-pool.js';
import { PoolBusyError } from './waiting-request.js';

const SUPPORT = join(process.cwd(), 'test/support/children');
const MEGABYTE = 2 ** 20;
const SINGLE_USE = { min: 1, max: 10, maxUse: 1 };
const REUSED = { min: 0, max: 1, maxUse: Number.POSITIVE_INFINITY };

type Answer = Record<string, unknown>;

let folder: string;
let pool: ProcessPool<object, Answer>;

beforeAll(() => Logger.overrideLogger(false));
beforeEach(async () => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await pool.close();
  expect(children()).toEqual([]);
});

function givenPool(options: Partial<PoolOptions<object>>, script = 'echo.mjs'): void {
  pool = new ProcessPool<object, Answer>({
    ...REUSED,
    script: join(SUPPORT, script),
    folder,
    limits: { heapMegabytes: 64, niceness: 0, openFiles: 64 },
    readyTimeoutMs: 10_000,
    ...options,
  });
}

function children(): number[] {
  return [...findChildren('echo.mjs'), ...findChildren('give-up.mjs')];
}

/** Does a job of nothing. */
async function useOne(accountId = ''): Promise<Child<object, Answer>> {
  return pool.use({ accountId }, async (child) => child);
}

async function pidsOf(leases: readonly Promise<Lease<object, Answer>>[]): Promise<(number | undefined)[]> {
  return (await Promise.all(leases)).map(({ child }) => child.pid);
}

describe('children of a single use', () => {
  it('serve one request each, and are replaced', async () => {
    givenPool(SINGLE_USE);
    const first = await pool.acquire();
    const second = await pool.acquire();
    expect(second.child.pid).not.toBe(first.child.pid);
    await Promise.all([first.release(), second.release()]);
    expect(first.child.hasExited && second.child.hasExited).toBe(true);
    await until(() => children().length === 1);
  });

  it('start on demand when none is kept ready', async () => {
    givenPool({ ...SINGLE_USE, min: 0 });
    expect(children()).toEqual([]);
    expect((await pool.acquire()).child.pid).toBeGreaterThan(0);
    expect(children()).toHaveLength(1);
  });

  it('are replaced when they die while they are idle', async () => {
    givenPool(SINGLE_USE);
    await pool.open();
    const [idle = 0] = children();
    process.kill(idle, 'SIGKILL');
    await until(() => children().some((pid) => pid !== idle));
    expect((await pool.acquire()).child.pid).not.toBe(idle);
  });
});

describe('reused children', () => {
  it('serve one request after the other, in the order of their arrival', async () => {
    givenPool({ max: 2 });
    const served: number[] = [];
    const jobs = [0, 1, 2, 3].map((job) => pool.use({}, async (child) => served.push(job) && child.pid));
    const pids = new Set(await Promise.all(jobs));
    expect(served).toEqual([0, 1, 2, 3]);
    expect(pids.size).toBeLessThanOrEqual(2);
  });

  it('are not reused after they have died, or after a job that left them in a bad state', async () => {
    givenPool({});
    const first = await useOne();
    first.kill();
    await first.exited;
    const second = await useOne();
    expect(second).not.toBe(first);
    await expect(pool.use({}, () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
    expect(second.hasExited).toBe(true);
    const third = await useOne();
    const harmless = pool.use(
      {},
      () => Promise.reject(new Error('harmless')),
      () => true,
    );
    await expect(harmless).rejects.toThrow('harmless');
    expect(await useOne()).toBe(third);
  });

  it('are replaced when they have been used enough', async () => {
    givenPool({ maxUse: 3 });
    const first = await useOne();
    expect(await pool.use({ use: 2 }, async (child) => child)).toBe(first);
    expect(first.hasExited).toBe(true);
    expect(await useOne()).not.toBe(first);
  });

  it('end when they have been used and are idle', async () => {
    givenPool({ retireIdle: { use: 1, afterMs: 1 } });
    const first = await useOne();
    expect(await useOne()).toBe(first);
    await first.exited;
    expect(children()).toEqual([]);
  });

  it('are killed when they exceed their memory', async () => {
    givenPool({ limits: { heapMegabytes: 64, niceness: 0, openFiles: 64, residentBytes: 150 * MEGABYTE } });
    const job = pool.use({}, async (child) => {
      await child.ask({ kind: 'hoard', bytes: 200 * MEGABYTE });
      await child.ask({ kind: 'spin' });
    });
    const error = await job.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ChildEndedError);
    expect((error as ChildEndedError).exit).toMatchObject({ signal: 'SIGKILL', isOverMemory: true });
  });

  it('start when they are woken, once', async () => {
    givenPool({});
    pool.wake();
    pool.wake();
    await useOne();
    expect(children()).toHaveLength(1);
  });
});

describe('children that belong to an account', () => {
  it('serve no other account, and make room for those that wait', async () => {
    givenPool({ max: 2, belongsToAccount: true });
    const ada = await useOne('ada');
    const bob = await useOne('bob');
    expect(await useOne('ada')).toBe(ada);
    expect(await useOne('bob')).toBe(bob);
    const eve = await useOne('eve');
    expect([ada, bob]).not.toContain(eve);
    expect([ada, bob].map(({ hasExited }) => hasExited)).toEqual([true, false]);
  });

  it('are not counted among those that are kept ready', async () => {
    givenPool({ min: 1, max: 4, belongsToAccount: true });
    const ada = await useOne('ada');
    await until(() => children().length === 2);
    expect(await useOne('bob')).not.toBe(ada);
    expect(ada.hasExited).toBe(false);
  });

  it('wait for their accounts up to a number; the one used longest ago is ended', async () => {
    givenPool({ max: 4, belongsToAccount: true, maxIdleOwned: 2 });
    const ada = await useOne('ada');
    const bob = await useOne('bob');
    expect(await useOne('ada')).toBe(ada);
    const eve = await useOne('eve');
    await bob.exited;
    expect([ada, eve].map(({ hasExited }) => hasExited)).toEqual([false, false]);
  });
});

describe('shared children', () => {
  const slots = { page: { perChild: 4, freePerUsed: 1 }, whole: { perChild: 1, freePerUsed: 0 } };

  it('serve several requests of each slot class at the same time, the least busy child first', async () => {
    givenPool({ min: 2, max: 2, slots });
    await pool.open();
    const pages = await pidsOf(['a', 'b', 'c', 'd'].map((accountId) => pool.acquire({ slotClass: 'page', accountId })));
    const counts = children().map((pid) => pages.filter((page) => page === pid).length);
    expect(counts).toEqual([2, 2]);
    const wholes = await pidsOf([0, 1].map(() => pool.acquire({ slotClass: 'whole' })));
    expect(new Set(wholes)).toEqual(new Set(children()));
  });

  it('leave slots to other accounts', async () => {
    givenPool({ slots });
    const ada = { slotClass: 'page', accountId: 'ada' };
    const first = await pool.acquire(ada);
    await pool.acquire(ada);
    const third = pool.acquire(ada);
    await pool.acquire({ ...ada, accountId: 'bob' });
    await first.release();
    expect((await third).child).toBe(first.child);
  });
});

describe('a request that waits', () => {
  it('fails when its time is up or its signal is aborted, and takes no slot later', async () => {
    givenPool({});
    const lease = await pool.acquire();
    await expect(pool.acquire({ maxWaitMs: 1 })).rejects.toThrow(PoolBusyError);
    const gone = new AbortController();
    const abandoned = pool.acquire({ signal: gone.signal });
    gone.abort(new Error('gone'));
    await expect(abandoned).rejects.toThrow('gone');
    await expect(pool.acquire({ signal: gone.signal })).rejects.toThrow('gone');
    const next = pool.acquire();
    await lease.release();
    expect((await next).child).toBe(lease.child);
  });

  it('fails when a child cannot start, with what the child reported', async () => {
    givenPool({ max: 2 }, 'give-up.mjs');
    const errors = await Promise.all([0, 1].map(() => pool.acquire().catch((reason: unknown) => reason)));
    for (const error of errors) expect(error).toBeInstanceOf(ChildNotReadyError);
    expect(String(errors[0])).toContain('exit code 7, unknown');
    await expect(pool.acquire()).rejects.toThrow(ChildNotReadyError);
  });

  it('waits for the next attempt to start a child, where the pool does', async () => {
    let starts = 0;
    const prepare = async (own: string) => {
      starts += 1;
      if (starts < 3) throw new Error(`${own} is not prepared`);
    };
    givenPool({ waitsForStart: true, ownsFolder: true, prepare });
    expect((await pool.acquire()).child.pid).toBeGreaterThan(0);
    expect(starts).toBe(3);
  });
});

describe('ProcessPool.isFailing', () => {
  it('is true from the second failed start on, until a child starts, which needs no request', async () => {
    let canStart = false;
    const prepare = async () => {
      if (!canStart) throw new Error('not prepared');
    };
    givenPool({ prepare });
    await expect(pool.acquire()).rejects.toThrow('not prepared');
    expect(pool.isFailing).toBe(false);
    await expect(pool.acquire()).rejects.toThrow('not prepared');
    expect(pool.isFailing).toBe(true);
    canStart = true;
    await until(() => !pool.isFailing);
    expect(children()).toHaveLength(1);
  });
});

describe('ProcessPool.open', () => {
  it('rejects when a child cannot start', async () => {
    givenPool({ min: 1 }, 'give-up.mjs');
    await expect(pool.open()).rejects.toThrow(ChildNotReadyError);
  });

  it('is followed by further attempts, after a time that doubles', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
    try {
      let starts = 0;
      const prepare = async () => {
        starts += 1;
        throw new Error('not prepared');
      };
      givenPool({ min: 1, prepare });
      await expect(pool.open()).rejects.toThrow('not prepared');
      const startsAfter: number[] = [];
      for (const elapsedMs of [0, 99, 1, 199, 1]) {
        await jest.advanceTimersByTimeAsync(elapsedMs);
        startsAfter.push(starts);
      }
      expect(startsAfter).toEqual([2, 2, 3, 3, 4]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('gives each child a folder of its own, and removes it with the child', async () => {
    givenPool({
      min: 1,
      ownsFolder: true,
      prepare: (own) => writeFile(join(own, 'prepared'), ''),
    });
    await pool.open();
    const { child, release } = await pool.acquire();
    expect(await readdir(folder, { recursive: true })).toHaveLength(2);
    expect(await child.ask({ kind: 'environment' })).toMatchObject({ folder: child.folder });
    await release(false);
    expect((await readdir(folder)).filter((name) => child.folder.endsWith(name))).toEqual([]);
  });
});

describe('ProcessPool.close', () => {
  it('ends children that start, work or are idle, and fails what waits', async () => {
    givenPool({ min: 2, max: 3 });
    await pool.open();
    await pool.acquire();
    await pool.acquire();
    const waiting = [pool.acquire(), pool.acquire()].map((one) => one.catch((reason: unknown) => reason));
    await pool.close();
    for (const error of await Promise.all(waiting)) expect(error).toBeInstanceOf(PoolClosedError);
    await expect(pool.acquire()).rejects.toThrow('The service is stopping');
    expect(children()).toEqual([]);
  });
});
