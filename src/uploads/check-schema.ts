import { InvalidRequestError } from '../http/common.errors.js';
import { findColumnNameIssue } from '../processes/ingest/column-name.js';
import type { TableColumn } from '../types/table-column.js';

/** @throws InvalidRequestError if a column name is invalid, or repeated without regard to case. */
export function checkSchema(columns: readonly TableColumn[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    const issue = seen.has(name.toLowerCase()) ? 'another column has the same name' : findColumnNameIssue(name);
    if (issue) throw new InvalidRequestError(`schema: column '${name.slice(0, 200)}': ${issue}`);
    seen.add(name.toLowerCase());
  }
}
