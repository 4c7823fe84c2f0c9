import type { LogicalType } from './column.js';

const WIDE: ReadonlySet<string> = new Set(['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT']);

/** Whether a column of this type prints as numbers or as strings depending on its values (`Column.isSafeInteger`). */
export function isWideInteger(type: LogicalType): boolean {
  return type.kind === 'scalar' && WIDE.has(type.name);
}
