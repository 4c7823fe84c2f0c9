import { NUMBER_TYPES } from './scalars/number-types.js';
import { TEXT_TYPES } from './scalars/text-types.js';
import { TIME_TYPES } from './scalars/time-types.js';
import type { TypeRecord } from './type-record.js';

/** The record of each scalar type, by DuckDB's own name. To add one, see {@link TypeRecord}. */
export const SCALAR_TYPES = { ...NUMBER_TYPES, ...TEXT_TYPES, ...TIME_TYPES } satisfies Record<string, TypeRecord>;

/** Types without parts, by DuckDB's own name. */
export type ScalarName = keyof typeof SCALAR_TYPES;
