import type { TablePart } from './table.js';

/** A table is worth a merge once so many small parts follow each other. */
export const MIN_PARTS = 16;
/** Opening a part of this size costs little beside reading it. */
export const SMALL_PART_BYTES = 8_000_000;
/** Most that one merge writes. */
const MAX_MERGED_BYTES = 256_000_000;

/** The first small parts in a row that are worth being merged into one, if there are any. */
export function findMergeable(parts: readonly TablePart[]): readonly TablePart[] | undefined {
  let run: TablePart[] = [];
  let runBytes = 0;
  for (const part of parts) {
    const isContinued = part.sizeBytes < SMALL_PART_BYTES && runBytes + part.sizeBytes <= MAX_MERGED_BYTES;
    if (!isContinued && run.length >= MIN_PARTS) return run;
    run = isContinued ? [...run, part] : [];
    runBytes = isContinued ? runBytes + part.sizeBytes : 0;
  }
  return run.length >= MIN_PARTS ? run : undefined;
}
