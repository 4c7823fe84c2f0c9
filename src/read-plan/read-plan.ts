import type { Literal, ParsedLiteral } from '../types/literals/literal.js';

/** The read parameters of a results request, as in its query string, and the endpoint's format. */
export interface ReadRequest {
  readonly limit?: string | undefined;
  readonly offset?: string | undefined;
  readonly filters?: string | undefined;
  readonly columns?: string | undefined;
  readonly sortBy?: string | undefined;
  readonly sampleCount?: string | undefined;
  readonly sampleSeed?: string | undefined;
  readonly csvNull?: string | undefined;
  readonly format: 'json' | 'csv';
}

/**
 * The read parameters, understood. `C` refers to a column: a name as parsed, a `Column` once bound.
 * A `ReadPlan<Column>` can no longer be wrong: every name exists and every literal fits its column.
 */
export interface ReadPlan<C> {
  readonly projection: Projection<C>;
  readonly filter?: Filter<C>;
  /** Most significant first; empty means stored order. */
  readonly sortKeys: readonly SortKey<C>[];
  readonly page: Page;
  /** Excludes a filter and a page other than the whole. */
  readonly sample?: Sample;
  /** How CSV writes NULL; absent for the default. */
  readonly csvNull?: string;
}

/** Columns in the order asked. Binding replaces `all` by the columns of the result. */
export type Projection<C> = readonly C[] | (C extends string ? 'all' : never);

/** What a `filters` parameter means. */
export type Filter<C> =
  /** `size >= 10` */
  | { readonly kind: 'comparison'; readonly column: C; readonly operator: Operator; readonly value: Value<C> }
  /** `name ILIKE 'a%'` */
  | { readonly kind: 'pattern'; readonly column: C; readonly operator: PatternOperator; readonly pattern: string }
  /** `name IN ('a', 'b')`, with at least one value. */
  | { readonly kind: 'membership'; readonly column: C; readonly values: readonly Value<C>[] }
  /** `name IS NULL` */
  | { readonly kind: 'is_null'; readonly column: C }
  /** Two or more operands; `AND` binds tighter than `OR`. */
  | { readonly kind: 'logical'; readonly connective: Connective; readonly operands: readonly Filter<C>[] };

/** How a criterion compares; `!=` is read as `<>`. */
export type Operator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** `%` is any text, `_` any character, a backslash an ordinary one. `ILIKE` ignores case. */
export type PatternOperator = 'LIKE' | 'ILIKE';

/** What joins criteria. */
export type Connective = 'AND' | 'OR';

/** A value in a filter: as written, or bound to its column. */
export type Value<C> = C extends string ? Literal : BoundValue;

/** A literal as a value of its column's type. */
export interface BoundValue extends ParsedLiteral {
  /** Type of the engine that the text is cast to, such as `BIGINT`; never text of the request. */
  readonly castTo: string;
}

/** One criterion of `sort_by`. NULLs sort last in both directions. */
export interface SortKey<C> {
  readonly column: C;
  readonly direction: 'ASC' | 'DESC';
}

/** Which of the rows left by the filter to return. */
export interface Page {
  /** Rows to skip. */
  readonly offset: number;
  /** Most rows to return, within the server's maximum. Absent: all that follow. */
  readonly limit?: number;
}

/** A uniform random choice of about `count` rows. */
export interface Sample {
  readonly count: number;
  /** Makes the choice repeatable: a whole number, as text. */
  readonly seed?: string;
}
