import { describe, expect, it } from '@jest/globals';
import { findMeantName, nearestNames } from './nearest-names.js';

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

describe('findMeantName', () => {
  const names = ['limit', 'offset', 'filters', 'sort_by', 'sample_count', 'query_parameters'];

  it.each([
    ['sortby', 'sort_by'],
    ['sortBy', 'sort_by'],
    ['Limit', 'limit'],
    ['ofset', 'offset'],
    ['filter', 'filters'],
    ['sampleCount', 'sample_count'],
    ['parameters', 'query_parameters'],
    ['sort', 'sort_by'],
  ])('takes %s for %s', (written, meant) => {
    expect(findMeantName(written, names)).toBe(meant);
  });

  it.each(['page', 'x', 'by', 'ignore_max_datapoints_per_request', '', 'limit'.repeat(10_000)])(
    'takes %s for nothing',
    (written) => {
      expect(findMeantName(written, names)).toBeUndefined();
    },
  );
});
