import { OptionalInt } from '../../common/validation.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

/** Which of the account's tables to list. */
export class ListTablesDto {
  @OptionalInt({
    min: 1,
    description: `Most tables to list: ${DEFAULT_LIMIT} when absent, lowered to ${MAX_LIMIT} when more.`,
  })
  limit?: number;

  @OptionalInt({ min: 0, description: 'First table, counted from 0.' })
  offset?: number;
}

/** The page that a query string asks for. */
export function toPage({ limit, offset }: ListTablesDto): { limit: number; offset: number } {
  return { limit: Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT), offset: offset ?? 0 };
}
