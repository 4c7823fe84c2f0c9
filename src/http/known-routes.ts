/** A route, and the pattern of its paths. */
interface KnownRoute {
  readonly pattern: RegExp;
  readonly parameterCount: number;
  readonly methods: readonly string[];
}

/** The routes of the service, to find the methods that a path has. */
export class KnownRoutes {
  private readonly routes: KnownRoute[] = [];

  /**
   * Adds a route.
   *
   * @param url as the router takes it: `/api/v1/query/:query_id`. One with a wildcard is ignored.
   */
  add(url: string, methods: readonly string[]): void {
    if (url.includes('*')) return;
    this.routes.push({ pattern: toPattern(url), parameterCount: url.split(':').length - 1, methods });
  }

  /**
   * The methods of a path without its query string, sorted; none if no route has the path. Of
   * several routes that match it, those with the fewest parameters count.
   */
  methodsOf(path: string): string[] {
    const found = this.routes.filter(({ pattern }) => pattern.test(path));
    const fewest = Math.min(...found.map(({ parameterCount }) => parameterCount));
    const nearest = found.filter(({ parameterCount }) => parameterCount === fewest);
    return [...new Set(nearest.flatMap(({ methods }) => methods))].sort();
  }
}

function toPattern(url: string): RegExp {
  const path = url.replace(/\/$/, '').replaceAll('.', '\\.');
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}/?$`);
}
