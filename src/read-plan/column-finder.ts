import { nearestNames } from '../config/nearest-names.js';
import type { Column } from '../types/column.js';
import { AmbiguousColumnError, type ReadParameter, UnknownColumnError } from './read-plan.errors.js';

/** Finds the column that a parameter names. */
export type ColumnFinder = (name: string, parameter: ReadParameter) => Column;

/**
 * Makes the finder for a result's columns: a name matches exactly, or else without regard to case.
 * The finder throws UnknownColumnError, or AmbiguousColumnError if columns differ only in case.
 */
export function columnFinder(columns: readonly Column[]): ColumnFinder {
  const exact = new Map(columns.map((column) => [column.name, column]));
  const folded = Map.groupBy(columns, (column) => column.name.toLowerCase());
  return (name, parameter) => {
    const column = exact.get(name);
    if (column) return column;
    const [candidate, ...others] = folded.get(name.toLowerCase()) ?? [];
    if (candidate === undefined) {
      const names = columns.map((known) => known.name);
      throw new UnknownColumnError(parameter, name, nearestNames(name, names));
    }
    if (others.length === 0) return candidate;
    const names = [candidate, ...others].map((known) => known.name);
    throw new AmbiguousColumnError(parameter, name, names);
  };
}
