/** The routes of the service, to find the methods that a path has. */
export class KnownRoutes {
  private readonly routes: { readonly pattern: RegExp; readonly methods: readonly string[] }[] = [];

  /**
   * Adds a route.
   *
   * @param url as the router takes it: `/api/v1/query/:query_id`. One with a wildcard is left out: what it answers may not exist.
   */
  add(url: string, methods: readonly string[]): void {
    if (!url.includes('*')) this.routes.push({ pattern: toPattern(url), methods });
  }

  /** The methods of a path without its query string, sorted; none if no route has the path. */
  methodsOf(path: string): string[] {
    const methods = this.routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    return [...new Set(methods)].sort();
  }
}

function toPattern(url: string): RegExp {
  const path = url.replace(/\/$/, '').replaceAll('.', '\\.');
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`);
}
