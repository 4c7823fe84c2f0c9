import { bind, type Sql, sql } from '../duckdb/sql.js';
import { boundValueToSql } from './bound-value-to-sql.js';
import type { Sample } from './read-plan.js';

const HASHES = 2n ** 64n;

/**
 * Compiles a sample to a condition that each row meets with probability `count / totalRows`;
 * nothing if the sample is the whole result. With a seed it depends on seed and row number alone.
 */
export function sampleToSql({ count, seed }: Sample, totalRows: number, rowNumber: Sql): Sql | undefined {
  if (totalRows <= count) return undefined;
  if (seed === undefined) {
    return sql`random() < ${boundValueToSql({ text: String(count / totalRows), castTo: 'DOUBLE' })}`;
  }
  const hashesTaken = (HASHES * BigInt(count)) / BigInt(totalRows);
  // Without the outer hash, samples of two seeds would depend on each other.
  const hash = sql`hash(xor(hash(${rowNumber}), hash(CAST(${bind(seed)} AS VARCHAR))))`;
  return sql`${hash} < ${boundValueToSql({ text: String(hashesTaken), castTo: 'UBIGINT' })}`;
}
