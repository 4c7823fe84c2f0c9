import { describe, expect, it } from '@jest/globals';
import { findPlanFor } from './plan-storage.js';

describe('findPlanFor', () => {
  it.each([
    [0, 'free'],
    [1e6, 'free'],
    [1e6 + 1, 'plus'],
    [15e9, 'plus'],
    [15e9 + 1, 'premium'],
    [50e9, 'premium'],
    [50e9 + 1, undefined],
  ])('finds for %d bytes the plan %s', (bytes, plan) => {
    expect(findPlanFor(bytes)).toBe(plan);
  });
});
