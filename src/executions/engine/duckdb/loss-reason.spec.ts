import { link } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { lossReason } from './loss-reason.js';

describe('lossReason', () => {
  it('tells of files no paths', async () => {
    const error = await link('/secret/a.csv', '/secret/b.csv').catch((thrown: unknown) => thrown);
    expect(lossReason(error)).toBe('link failed with ENOENT');
  });

  it('tells all of other errors, and of what is none', () => {
    expect(lossReason(new TypeError('no x'))).toBe('TypeError: no x');
    expect(lossReason(undefined)).toBe('undefined');
  });
});
