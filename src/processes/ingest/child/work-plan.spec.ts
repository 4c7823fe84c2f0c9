import { describe, expect, it } from '@jest/globals';
import { planWork } from './work-plan.js';

const LARGE = { memoryBytes: 1e9, threads: 8 };
const SMALL = { memoryBytes: 64e6, threads: 8 };

describe('planWork', () => {
  it('takes all threads and full row groups for rows that are not wide', () => {
    expect(planWork(LARGE, { columnCount: 10, rowBytes: 100 })).toEqual({
      threads: 8,
      rowGroupRows: 122_880,
      dictionaryBytes: 2 ** 20,
    });
  });

  it('takes one thread and smaller row groups where there is little memory', () => {
    expect(planWork(SMALL, { columnCount: 10, rowBytes: 100 })).toMatchObject({ threads: 1, rowGroupRows: 30_769 });
  });

  it('takes one thread and small dictionaries for very many columns', () => {
    expect(planWork(LARGE, { columnCount: 1000, rowBytes: 4000 })).toEqual({
      threads: 1,
      rowGroupRows: 6250,
      dictionaryBytes: 125_000,
    });
  });

  it('takes at least one row', () => {
    expect(planWork(SMALL, { columnCount: 1, rowBytes: 16e6 }).rowGroupRows).toBe(1);
  });
});
