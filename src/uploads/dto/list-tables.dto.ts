import { LIST_SCOPES, type ListFilter, type ListScope } from '../../auth/list-scope.js';
import { listPageDto } from '../../http/list-page.js';
import { OptionalChoice, OptionalText } from '../../http/validation.js';

const Paged = listPageDto({ noun: { one: 'table', many: 'tables' }, min: 1, byDefault: 50, max: 1_000 });

/** Which tables to list. */
export class ListTablesDto extends Paged {
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
