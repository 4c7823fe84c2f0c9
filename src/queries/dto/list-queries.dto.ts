import { OptionalInt } from '../../common/validation.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Which of the account's queries to list. */
export class ListQueriesDto {
  @OptionalInt({
    min: 0,
    description: `Most queries to list: ${DEFAULT_LIMIT} when absent, lowered to ${MAX_LIMIT} when more.`,
  })
  limit?: number;

  @OptionalInt({ min: 0, description: 'First query, counted from 0.' })
  offset?: number;
}

/** The page that a query string asks for. */
export function toPage({ limit, offset }: ListQueriesDto): { limit: number; offset: number } {
  return { limit: Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT), offset: offset ?? 0 };
}
