/** The read parameters of one results request, as they came in the query string, and the format that the endpoint serves. */
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
 * The read parameters, understood. `C` is how a column is referred to: by name as parsed, by `Column` once bound.
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
  | { readonly kind: 'match'; readonly column: C; readonly operator: MatchOperator; readonly pattern: string }
  /** `name IN ('a', 'b')`, with at least one value. */
  | { readonly kind: 'membership'; readonly column: C; readonly values: readonly Value<C>[] }
  /** `name IS NULL` */
  | { readonly kind: 'absence'; readonly column: C }
  /** Two or more operands; `AND` binds tighter than `OR`. */
  | { readonly kind: 'logical'; readonly connective: Connective; readonly operands: readonly Filter<C>[] };

/** How a criterion compares; `!=` is read as `<>`. */
export type Operator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** `%` stands for any text and `_` for any one character; a backslash is an ordinary character. `ILIKE` ignores case. */
export type MatchOperator = 'LIKE' | 'ILIKE';

/** What joins criteria. */
export type Connective = 'AND' | 'OR';

/** A value in a filter: as written while columns are names, as the engine takes it once they are bound. */
export type Value<C> = C extends string ? Literal : BoundValue;

/** A value as the author of the filter wrote it. */
export type Literal =
  /** `'it''s'`, with the quotes taken off: `it's`. */
  | { readonly kind: 'string'; readonly text: string }
  /** `-1.5e3`, as written: a JavaScript number would lose digits. */
  | { readonly kind: 'number'; readonly text: string }
  /** `0xC0FFEE`, as written. */
  | { readonly kind: 'hex'; readonly text: string }
  | { readonly kind: 'boolean'; readonly isTrue: boolean };

/**
 * A literal that was fitted to its column. Where the column's type has no such value (5.5 among integers, a number out
 * of range), it is the nearest value that the type has, and `literalIs` tells on which side of it the literal stands.
 */
export interface BoundValue {
  /** The value in the engine's notation; `castTo` can always represent it. */
  readonly text: string;
  /** Type of the engine that the text is cast to, such as `BIGINT`; never text of the request. */
  readonly castTo: string;
  readonly literalIs: 'equal' | 'above' | 'below';
}

/** One criterion of `sort_by`. NULLs sort last in both directions. */
export interface SortKey<C> {
  readonly column: C;
  readonly direction: 'ASC' | 'DESC';
}

/** Which of the rows left by the filter to return. */
export interface Page {
  /** Rows to pass over. */
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
