import type { LogicalType } from './column.js';
import { recordOf } from './type-of.js';

/**
 * An option of a COPY to Parquet. The engine looks up bytes in its Bloom filters by their text, and
 * misses those that are not printable, so that `bytes = 0xaa` would find no row.
 */
export function bloomFilterOption(columns: readonly { readonly type: LogicalType }[]): string {
  const hasBytes = columns.some(({ type }) => recordOf(type).bytes === 'blob');
  return `WRITE_BLOOM_FILTER ${!hasBytes}`;
}
