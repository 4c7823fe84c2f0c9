/** The parts of a request where a key can stand. */
export interface KeyCarrier {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query?: unknown;
}

/**
 * Finds the key of a request: the header `X-<BRAND>-API-KEY`, in the order of the brands, else the
 * query parameter `api_key`. Of repeated ones the first counts.
 */
export function findKeyText(request: KeyCarrier, brands: readonly string[]): string | undefined {
  const fromHeader = brands.map((brand) => first(request.headers[`x-${brand.toLowerCase()}-api-key`])).find(Boolean);
  return fromHeader ?? first((request.query as { api_key?: unknown } | undefined)?.api_key);
}

function first(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return typeof one === 'string' ? one : undefined;
}
