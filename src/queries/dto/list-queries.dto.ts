import { LIST_SCOPES, type ListFilter, type ListScope } from '../../auth/list-scope.js';
import { OptionalChoice, OptionalInt, OptionalText } from '../../http/validation.js';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Which queries to list. */
export class ListQueriesDto {
  @OptionalInt({
    min: 0,
    description: `Most queries to list: ${DEFAULT_LIMIT} when absent, lowered to ${MAX_LIMIT} when more.`,
  })
  limit?: number;

  @OptionalInt({ min: 0, description: 'First query, counted from 0.' })
  offset?: number;

  @OptionalChoice(LIST_SCOPES, {
    description:
      'Whose: `own` when absent; `public` for the public queries of other accounts that are not archived; `all` for both.',
  })
  scope?: ListScope;

  @OptionalText({
    maxLength: 200,
    description: 'Words that all stand in the name, the description or the tags, in any case.',
    example: 'busy airports',
  })
  search?: string;
}

/** The filter that a query string asks for. */
export function toFilter({ scope = 'own', search }: ListQueriesDto): ListFilter {
  return { scope, search };
}

/** The page that a query string asks for. */
export function toPage({ limit, offset }: ListQueriesDto): { limit: number; offset: number } {
  return { limit: Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT), offset: offset ?? 0 };
}
