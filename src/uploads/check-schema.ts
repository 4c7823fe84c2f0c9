import { InvalidRequestError } from '../http/common.errors.js';
import { findColumnNameProblem } from '../processes/ingest/column-name.js';
import type { TableColumn } from '../types/table-column.js';

/** @throws InvalidRequestError if a name cannot be that of a column, or is that of two: case makes no difference. */
export function checkSchema(columns: readonly TableColumn[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    const problem = seen.has(name.toLowerCase()) ? 'another column has the same name' : findColumnNameProblem(name);
    if (problem) throw new InvalidRequestError(`schema: column '${name.slice(0, 200)}': ${problem}`);
    seen.add(name.toLowerCase());
  }
}
