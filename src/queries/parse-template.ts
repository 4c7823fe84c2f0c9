import { PLACEHOLDER, type RegionKind, splitRegions } from '../duckdb/sql-regions.js';

/** Where a parameter's value goes in a query's text. */
export interface Placeholder {
  readonly kind: 'placeholder';
  readonly key: string;
  /** As it is written: `{{key}}`. */
  readonly text: string;
  readonly region: RegionKind;
}

/** A part of a query's text: SQL to keep as it is, or a placeholder. */
export type TemplatePart = { readonly kind: 'text'; readonly text: string } | Placeholder;

/**
 * Finds the parameters in a query's text: `{{key}}`, with spaces inside the braces allowed, except
 * in comments.
 */
export function parseTemplate(sql: string): TemplatePart[] {
  return splitRegions(sql).flatMap(({ kind, text }) =>
    kind === 'comment' ? [{ kind: 'text' as const, text }] : splitPlaceholders(text, kind),
  );
}

/** The names of the parameters in a query's text, each once, in order. */
export function findPlaceholders(sql: string): string[] {
  const keys = parseTemplate(sql).flatMap((part) => (part.kind === 'placeholder' ? [part.key] : []));
  return [...new Set(keys)];
}

function splitPlaceholders(text: string, region: RegionKind): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let textStart = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    const key = match[1]?.trim();
    if (!key) continue;
    parts.push(
      { kind: 'text', text: text.slice(textStart, match.index) },
      { kind: 'placeholder', key, text: match[0], region },
    );
    textStart = match.index + match[0].length;
  }
  return [...parts, { kind: 'text', text: text.slice(textStart) }];
}
