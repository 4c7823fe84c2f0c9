import { describe, expect, it } from '@jest/globals';
import { progressBar } from './progress-bar.js';

describe('progressBar', () => {
  it.each([
    [0, 1_000, '[..............................] 0 % of 1 kB'],
    [500, 1_000, '[###############...............] 50 % of 1 kB'],
    [1_000, 1_000, '[##############################] 100 % of 1 kB'],
    [0, 0, '[##############################] 100 % of 0 bytes'],
  ])('draws %d of %d bytes', (sent, total, bar) => {
    expect(progressBar(sent, total)).toBe(bar);
  });
});
