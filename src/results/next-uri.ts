/** Where a page was asked for. */
export interface PageAddress {
  /** The caller's own origin, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Path without query string. */
  readonly path: string;
  /** The caller's parameters; repeated ones are lists. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
}

/** Where the page after this one begins. */
export interface NextPage {
  readonly offset: number;
  readonly uri: string;
}

const REPEATED = new Set([
  'filters',
  'columns',
  'sort_by',
  'allow_partial_results',
  'allows_partial_results',
  'csv_null',
]);

/** The URI of a page: the caller's own parameters, except the key, with the limit as lowered. */
export function nextUri({ origin, path, query }: PageAddress, page: { limit: number; offset: number }): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (!REPEATED.has(name) && !name.startsWith('params.')) continue;
    for (const one of [value].flat()) parameters.append(name, one);
  }
  parameters.set('limit', String(page.limit));
  parameters.set('offset', String(page.offset));
  return `${origin}${path}?${parameters}`;
}
