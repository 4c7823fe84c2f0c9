import { OptionalInt } from './validation.js';

/** Which entries of a list to return. */
export interface ListPage {
  readonly limit: number;
  readonly offset: number;
}

/** How many entries a list has, and how it calls them. */
interface ListLimits {
  readonly noun: { readonly one: string; readonly many: string };
  readonly min: 0 | 1;
  readonly byDefault: number;
  readonly max: number;
}

/** The base class of the query strings of a list. */
export function listPageDto({ noun, min, byDefault, max }: ListLimits) {
  class ListPageDto {
    @OptionalInt({
      min,
      description: `Most ${noun.many} to list: ${byDefault} when absent, lowered to ${max} when more.`,
    })
    limit?: number;

    @OptionalInt({ min: 0, description: `First ${noun.one}, counted from 0.` })
    offset?: number;

    /** The page that a query string asks for. */
    static pageOf({ limit = byDefault, offset = 0 }: ListPageDto): ListPage {
      return { limit: Math.min(limit, max), offset };
    }
  }
  return ListPageDto;
}
