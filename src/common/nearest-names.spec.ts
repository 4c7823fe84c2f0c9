import { describe, expect, it } from '@jest/globals';
import { nearestNames } from './nearest-names.js';

describe('nearestNames', () => {
  it('lists the names that differ least, nearest first', () => {
    expect(nearestNames('siez', ['name', 'size', 'sizes', 'id', 'price'])).toEqual(['size', 'sizes', 'id']);
  });

  it('ignores case', () => {
    expect(nearestNames('CREATED', ['creator', 'Created_at', 'created'], 1)).toEqual(['created']);
  });

  it('lists what there is when that is less', () => {
    expect(nearestNames('x', ['name'])).toEqual(['name']);
  });

  it('compares a huge name by its beginning', () => {
    expect(nearestNames('name'.repeat(100_000), ['other', 'namename'], 1)).toEqual(['namename']);
  });
});
