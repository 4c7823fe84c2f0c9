declare const brand: unique symbol;

/** An id that the catalog gave, or that a pipe has checked: no other id compiles in its place. */
type Id<Base extends string | number, Of extends string> = Base & { readonly [brand]: Of };

/** ULID. */
export type AccountId = Id<string, 'account'>;

/** From 1. */
export type QueryId = Id<number, 'query'>;

/** ULID, so that the order of ids is the order of submission. */
export type ExecutionId = Id<string, 'execution'>;
