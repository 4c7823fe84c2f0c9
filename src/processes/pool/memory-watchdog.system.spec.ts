import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Child, spawnChild } from './child.js';
import { residentBytes, watchMemory } from './memory-watchdog.js';

const MEGABYTE = 2 ** 20;

let child: Child<object, unknown>;
let pid: number;

beforeEach(async () => {
  child = spawnChild({
    script: join(process.cwd(), 'test/support/children/echo.mjs'),
    folder: tmpdir(),
    limits: { heapMegabytes: 64, niceness: 0, openFiles: 64 },
  });
  await child.untilReady(10_000);
  pid = child.pid ?? 0;
});

afterEach(async () => {
  child.kill();
  await child.exited;
});

describe('watchMemory', () => {
  it('calls once when the process holds more than the limit', async () => {
    const before = residentBytes(pid) ?? 0;
    let calls = 0;
    const exceeded = new Promise<void>((resolve) => {
      watchMemory(
        pid,
        before + 100 * MEGABYTE,
        () => {
          calls++;
          resolve();
        },
        5,
      );
    });
    child.send({ kind: 'hoard', bytes: 200 * MEGABYTE });
    await exceeded;
    expect(calls).toBe(1);
  });
});

describe('residentBytes', () => {
  it('is undefined for a process that is gone', async () => {
    child.kill();
    await child.exited;
    expect(residentBytes(pid)).toBeUndefined();
  });
});
