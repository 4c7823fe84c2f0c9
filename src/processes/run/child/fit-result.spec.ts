import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CopyStatistics } from './copy-statistics.js';
import { fitResult } from './fit-result.js';

/** A result whose row `i` takes `rowBytes(i)`, and how often some of it was written. */
function givenResult(totalRows: number, rowBytes: (row: number) => number) {
  const writes: number[] = [];
  const write = async (rows: number): Promise<CopyStatistics> => {
    writes.push(rows);
    const rowCount = Math.min(rows, totalRows);
    let fileBytes = 100;
    for (let row = 0; row < rowCount; row++) fileBytes += rowBytes(row);
    return { rowCount, fileBytes, of: () => ({ nullCount: 0 }) };
  };
  return { write, writes };
}

describe('fitResult', () => {
  it('fills most of the space in two passes when rows are alike', async () => {
    const { write, writes } = givenResult(2_000_000, () => 10);
    const fitted = await fitResult(5_000_000, write);
    expect(fitted?.isWhole).toBe(false);
    expect(fitted?.statistics.fileBytes).toBeGreaterThan(4_250_000);
    expect(fitted?.statistics.fileBytes).toBeLessThanOrEqual(5_000_000);
    expect(writes).toHaveLength(2);
  });

  it('is whole when everything fits after all', async () => {
    const { write } = givenResult(1000, () => 10);
    expect(await fitResult(50_000, write)).toMatchObject({ isWhole: true, statistics: { rowCount: 1000 } });
  });

  it('is nothing when the first row does not fit', async () => {
    const { write } = givenResult(10, () => 1000);
    expect(await fitResult(500, write)).toBeUndefined();
  });

  it('keeps to the space however uneven the rows are, and ends', async () => {
    const result = fc.record({
      small: fc.integer({ min: 1, max: 50 }),
      large: fc.integer({ min: 1, max: 5000 }),
      from: fc.nat(3000),
    });
    await fc.assert(
      fc.asyncProperty(result, fc.integer({ min: 1000, max: 100_000 }), async ({ small, large, from }, maxBytes) => {
        const { write, writes } = givenResult(200_000, (row) => (row < from ? small : large));
        const fitted = await fitResult(maxBytes, write);
        expect(fitted?.statistics.fileBytes ?? 0).toBeLessThanOrEqual(maxBytes);
        expect(fitted === undefined).toBe(100 + (from > 0 ? small : large) > maxBytes);
        expect(writes.length).toBeLessThan(25);
      }),
      { numRuns: 50 },
    );
  });
});
