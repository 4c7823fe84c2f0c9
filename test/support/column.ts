import type { Column } from '../../src/types/column.js';
import type { ScalarName } from '../../src/types/scalar-types.js';
import type { StorageEncoding } from '../../src/types/type-record.js';

/** A column of a scalar type. */
export function scalarColumn(name: string, type: ScalarName, storedAs: StorageEncoding = 'same'): Column {
  return { name, type: { kind: 'scalar', name: type }, storedAs, isSafeInteger: false };
}
