import type { CopyStatistics } from './copy-statistics.js';

/** Rows of the first attempt, from which the size of a row is guessed: one row group. */
const SAMPLE_ROWS = 122_880;

const MAX_ATTEMPTS = 5;

/** What is left free, because rows differ in size. */
const MARGIN = 0.97;

/** Fuller than this is full enough. */
const ENOUGH = 0.85;

/** The first rows of a result, as many as fit; `isWhole` if those are all. */
export interface FittedResult {
  readonly statistics: CopyStatistics;
  readonly isWhole: boolean;
}

/**
 * Writes as many of the first rows of a result as fit into `maxBytes`: writes a few, estimates from
 * the size of the file how many more fit, and tries again until the file is nearly full.
 *
 * @param write writes this many of the first rows, in place of those of an earlier call.
 * @returns nothing if not even the first row fits.
 */
export async function fitResult(
  maxBytes: number,
  write: (rows: number) => Promise<CopyStatistics>,
): Promise<FittedResult | undefined> {
  let rows = SAMPLE_ROWS;
  let fitting = 0;
  let tooMany = Number.POSITIVE_INFINITY;
  for (let attempt = 1; rows > 0; attempt++) {
    const statistics = await write(rows);
    const { rowCount, fileBytes } = statistics;
    const isLast = attempt >= MAX_ATTEMPTS;
    const estimate = Math.floor((rowCount * maxBytes * MARGIN) / fileBytes);
    if (fileBytes <= maxBytes) {
      const isWhole = rowCount < rows;
      fitting = rowCount;
      rows = Math.min(estimate, tooMany - 1);
      if (isWhole || isLast || fileBytes >= ENOUGH * maxBytes || rows <= fitting) return { statistics, isWhole };
    } else {
      tooMany = rowCount;
      const next = isLast ? fitting || Math.floor(rowCount / 2) : Math.max(estimate, fitting, 1);
      rows = Math.min(next, tooMany - 1);
    }
  }
  return undefined;
}
