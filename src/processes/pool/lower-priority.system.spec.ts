import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { lowerPriority } from './lower-priority.js';

describe('lowerPriority', () => {
  it('raises the niceness of all threads except the first, up to 19', async () => {
    const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1e6)']);
    const pid = child.pid ?? 0;
    await once(child.stdout, 'data');
    const others = () =>
      readdirSync(`/proc/${pid}/task`)
        .map(Number)
        .filter((thread) => thread !== pid);
    const own = getPriority();
    expect(others().length).toBeGreaterThan(0);
    lowerPriority(pid, 5);
    expect(new Set(others().map(getPriority))).toEqual(new Set([Math.min(19, own + 5)]));
    lowerPriority(pid, 100);
    expect(new Set(others().map(getPriority))).toEqual(new Set([19]));
    expect(getPriority(pid)).toBe(own);
    child.kill();
    await once(child, 'exit');
    expect(() => lowerPriority(pid, 5)).not.toThrow();
  });
});
