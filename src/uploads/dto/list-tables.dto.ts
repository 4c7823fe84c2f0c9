import { LIST_SCOPES, type ListFilter, type ListScope } from '../../auth/list-scope.js';
import { OptionalChoice, OptionalInt, OptionalText } from '../../http/validation.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1_000;

/** Which tables to list. */
export class ListTablesDto {
  @OptionalInt({
    min: 1,
    description: `Most tables to list: ${DEFAULT_LIMIT} when absent, lowered to ${MAX_LIMIT} when more.`,
  })
  limit?: number;

  @OptionalInt({ min: 0, description: 'First table, counted from 0.' })
  offset?: number;

  @OptionalChoice(LIST_SCOPES, {
    description: 'Whose: `own` when absent; `public` for the public tables of other accounts; `all` for both.',
  })
  scope?: ListScope;

  @OptionalText({
    maxLength: 200,
    description: 'Words that all stand in the full name or the description, in any case.',
    example: 'airports',
  })
  search?: string;
}

/** The filter that a query string asks for. */
export function toFilter({ scope = 'own', search }: ListTablesDto): ListFilter {
  return { scope, search };
}

/** The page that a query string asks for. */
export function toPage({ limit, offset }: ListTablesDto): { limit: number; offset: number } {
  return { limit: Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT), offset: offset ?? 0 };
}
