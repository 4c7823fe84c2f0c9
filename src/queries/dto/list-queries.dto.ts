import { LIST_SCOPES, type ListFilter, type ListScope } from '../../auth/list-scope.js';
import { listPageDto } from '../../http/list-page.js';
import { OptionalChoice, OptionalText } from '../../http/validation.js';

const Paged = listPageDto({ noun: { one: 'query', many: 'queries' }, min: 0, byDefault: 20, max: 100 });

/** Which queries to list. */
export class ListQueriesDto extends Paged {
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
