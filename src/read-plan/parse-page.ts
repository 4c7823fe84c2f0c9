import { InvalidPageError } from './read-plan.errors.js';
import type { Page } from './read-plan.js';

interface PageRequest {
  readonly limit?: string | undefined;
  readonly offset?: string | undefined;
  readonly format: 'json' | 'csv';
}

/**
 * Parses `limit` and `offset`. A number too large for a row count is lowered to one past the end of
 * any result. Without a limit, JSON has as many rows as a page may have, and CSV all that follow.
 * @throws InvalidPageError unless both are whole numbers of at least 0.
 */
export function parsePage(request: PageRequest, maxPageRows: number): Page {
  const offset = request.offset === undefined ? 0 : parseRowCount('offset', request.offset);
  if (request.limit !== undefined) {
    return { offset, limit: Math.min(parseRowCount('limit', request.limit), maxPageRows) };
  }
  return request.format === 'csv' ? { offset } : { offset, limit: maxPageRows };
}

function parseRowCount(parameter: 'limit' | 'offset', text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidPageError(parameter, text);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
