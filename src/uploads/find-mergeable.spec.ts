import { describe, expect, it } from '@jest/globals';
import { findMergeable } from './find-mergeable.js';
import type { TablePart } from './table.js';

/** Parts named by their place, of these sizes in megabytes. */
function parts(...sizes: number[]): TablePart[] {
  return sizes.map((megabytes, index) => ({ blob: String(index), rowCount: 1, sizeBytes: megabytes * 1_000_000 }));
}

const small = (count: number) => Array.from({ length: count }, () => 1);
const blobsOf = (found: readonly TablePart[] | undefined) => found?.map(({ blob }) => Number(blob));

describe('findMergeable', () => {
  it('finds nothing in fewer than 16 small parts', () => {
    expect(findMergeable([])).toBeUndefined();
    expect(findMergeable(parts(...small(15)))).toBeUndefined();
  });

  it('finds all of 16 or more', () => {
    expect(blobsOf(findMergeable(parts(...small(16))))).toEqual([...Array(16).keys()]);
    expect(findMergeable(parts(...small(100)))).toHaveLength(100);
  });

  it('leaves large parts where they are', () => {
    const found = findMergeable(parts(20, ...small(3), 20, ...small(17), 20, ...small(30)));
    expect(blobsOf(found)).toEqual([...Array(17).keys()].map((index) => index + 5));
  });

  it('does not count small parts together that a large one separates', () => {
    expect(findMergeable(parts(...small(15), 20, ...small(15)))).toBeUndefined();
  });

  it('takes no more at once than one merge should write', () => {
    expect(findMergeable(parts(...Array.from({ length: 100 }, () => 7)))).toHaveLength(36);
  });
});
