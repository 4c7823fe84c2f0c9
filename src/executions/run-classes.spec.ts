import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../config/load-config.js';
import { runClasses, slotsFor } from './run-classes.js';

describe('slotsFor', () => {
  it.each([
    { WORKERS: 1, medium: 1, large: 1 },
    { WORKERS: 2, medium: 1, large: 1 },
    { WORKERS: 3, medium: 1, large: 2 },
    { WORKERS: 8, medium: 1, large: 2 },
  ])('gives a large execution two of $WORKERS slots if one is left then', ({ WORKERS, medium, large }) => {
    expect([slotsFor('medium', { WORKERS }), slotsFor('large', { WORKERS })]).toEqual([medium, large]);
  });
});

describe('runClasses', () => {
  const SETTINGS = {
    WORKER_MEMORY: '100MB',
    WORKER_THREADS: '3',
    READERS: '1',
    READER_MEMORY: '100MB',
    UPLOADER_MEMORY: '100MB',
    EXECUTION_TIMEOUT: '5m',
    LARGE_EXECUTION_TIMEOUT: '7m',
    MAX_RESULT_BYTES: '7MB',
    MAX_SPILL_BYTES: '9MB',
  };
  const LIMITS = { threads: 3, maxResultBytes: 7_000_000, maxSpillBytes: 9_000_000 };

  it.each([
    { WORKERS: '1', largeBytes: 100_000_000 },
    { WORKERS: '2', largeBytes: 100_000_000 },
    { WORKERS: '3', largeBytes: 200_000_000 },
  ])('gives a run the memory of its slots, of $WORKERS, and the time of its class', ({ WORKERS, largeBytes }) => {
    expect(runClasses(loadConfig({ ...SETTINGS, WORKERS }))).toEqual({
      medium: { ...LIMITS, timeoutMs: 300_000, memoryBytes: 100_000_000, readyChildren: Number(WORKERS) },
      large: { ...LIMITS, timeoutMs: 420_000, memoryBytes: largeBytes, readyChildren: 0 },
    });
  });

  it('gives a large run at least the time of a medium one', () => {
    const { large } = runClasses(loadConfig({ ...SETTINGS, EXECUTION_TIMEOUT: '2h' }));
    expect(large.timeoutMs).toBe(7_200_000);
  });

  it('gives a medium run less time than a large one by default', () => {
    const { medium, large } = runClasses(loadConfig({}));
    expect([medium.timeoutMs, large.timeoutMs]).toEqual([600_000, 1_800_000]);
  });
});
