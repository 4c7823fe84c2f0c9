import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Child, spawnChild } from './child.js';
import { ChildNotReadyError } from './child-not-ready.js';
import { SpawnAhead } from './spawn-ahead.js';

const SUPPORT = join(process.cwd(), 'test/support/children');

let children: SpawnAhead<object, unknown>;
let spawned: Child<object, unknown>[];

function givenPool(count: number, script: string): void {
  spawned = [];
  children = new SpawnAhead({
    count,
    readyTimeoutMs: 10_000,
    spawn: () => {
      const limits = { heapMegabytes: 64, niceness: 0, openFiles: 64 };
      const child = spawnChild<object, unknown>({ script: join(SUPPORT, script), folder: tmpdir(), limits });
      spawned.push(child);
      return child;
    },
  });
}

afterEach(async () => {
  await children.close();
  for (const child of spawned) child.kill();
  await Promise.all(spawned.map((child) => child.exited));
});

describe('SpawnAhead', () => {
  it('hands out each child once and starts another in its place', async () => {
    givenPool(1, 'echo.mjs');
    const first = await children.take();
    const second = await children.take();
    expect(second.pid).not.toBe(first.pid);
    expect(spawned).toHaveLength(3);
  });

  it('starts a child on demand when none is kept', async () => {
    givenPool(0, 'echo.mjs');
    expect(spawned).toHaveLength(0);
    const child = await children.take();
    expect(child.pid).toBeGreaterThan(0);
    expect(spawned).toHaveLength(1);
  });

  it('fails who waits when a child cannot start, and says what it complained about', async () => {
    givenPool(1, 'give-up.mjs');
    const error = await children.take().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ChildNotReadyError);
    expect(String(error)).toContain('exit code 7, unknown');
  });

  it('waits between attempts to start', async () => {
    givenPool(1, 'give-up.mjs');
    const startedAt = performance.now();
    for (let attempt = 0; attempt < 3; attempt++) await children.take().catch(() => undefined);
    expect(performance.now() - startedAt).toBeGreaterThan(100);
    expect(spawned.length).toBeLessThanOrEqual(4);
  });

  it('replaces a child that died while it waited', async () => {
    givenPool(1, 'echo.mjs');
    const [waiting] = spawned;
    await new Promise<void>((resolve) => waiting?.onMessage(() => resolve()));
    waiting?.kill();
    await waiting?.exited;
    expect((await children.take()).pid).not.toBe(waiting?.pid);
  });

  it('leaves no process behind', async () => {
    givenPool(2, 'echo.mjs');
    const taken = await children.take();
    await children.close();
    expect(spawned.filter((child) => child !== taken && !child.hasExited)).toEqual([]);
    expect(taken.hasExited).toBe(false);
    await expect(children.take()).rejects.toThrow('closed');
  });
});
