import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../config/load-config.js';
import { runClasses, slotsFor } from './run-classes.js';

describe('slotsFor', () => {
  it.each([
    { WORKERS: 1, medium: 1, large: 1 },
    { WORKERS: 2, medium: 1, large: 2 },
    { WORKERS: 8, medium: 1, large: 2 },
  ])('gives a large execution the slots of two, of $WORKERS', ({ WORKERS, medium, large }) => {
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
    MAX_RESULT_BYTES: '7MB',
    MAX_SPILL_BYTES: '9MB',
  };
  const LIMITS = { threads: 3, timeoutMs: 300_000, maxResultBytes: 7_000_000, maxSpillBytes: 9_000_000 };

  it.each([
    { WORKERS: '1', largeBytes: 100_000_000 },
    { WORKERS: '2', largeBytes: 200_000_000 },
  ])(
    'gives a run the memory of its slots, of $WORKERS, and the rest of the limits alike',
    ({ WORKERS, largeBytes }) => {
      expect(runClasses(loadConfig({ ...SETTINGS, WORKERS }))).toEqual({
        medium: { ...LIMITS, memoryBytes: 100_000_000, readyChildren: Number(WORKERS) },
        large: { ...LIMITS, memoryBytes: largeBytes, readyChildren: 0 },
      });
    },
  );
});
