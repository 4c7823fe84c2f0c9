import { describe, expect, it } from '@jest/globals';
import { toListing } from './to-listing.js';

const ROWS = [
  { id: 1, name: 'orders', expires_at: undefined },
  { id: 20, name: 'x', expires_at: '2026-03-01' },
];

describe('toListing', () => {
  it('aligns the columns of a table', () => {
    expect(toListing(ROWS, false)).toBe('ID  NAME    EXPIRES_AT\n1   orders\n20  x       2026-03-01');
  });

  it('prints JSON for programs', () => {
    expect(JSON.parse(toListing(ROWS, true))).toEqual([
      { id: 1, name: 'orders' },
      { id: 20, name: 'x', expires_at: '2026-03-01' },
    ]);
  });

  it('is a word if there is nothing to list', () => {
    expect([toListing([], false), toListing([], true)]).toEqual(['none', '[]']);
  });
});
