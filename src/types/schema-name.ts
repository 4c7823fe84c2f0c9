/** `main` is where bare names live, `recurring` what a recursive expression has gathered. */
const ENGINE_SCHEMA = /^(main|memory|temp|system|recurring|information_schema|(pg|duckdb)_.*)$/;

/** Whether a name is that of a schema or catalog of the engine itself. */
export function isEngineSchema(name: string): boolean {
  return ENGINE_SCHEMA.test(name);
}

/** The words of `duckdb_keywords()` that cannot name a schema without quotes. */
const WORDS = new Set(
  (
    'all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast check collate ' +
    'collation column concurrently constraint create cross default deferrable desc describe distinct do else end except ' +
    'false fetch for foreign freeze from full glob group having ilike in initially inner intersect into is isnull join ' +
    'lambda lateral leading left like limit natural not notnull null offset on only or order outer overlaps pivot ' +
    'pivot_longer pivot_wider placing positional primary qualify references returning right select semi show similar some ' +
    'summarize symmetric table tablesample then to trailing true union unique unpack unpivot using variadic verbose when ' +
    'where window with'
  ).split(' '),
);

/** Whether SQL must quote the name of a schema that is otherwise a plain word. */
export function needsQuotes(schema: string): boolean {
  return WORDS.has(schema);
}
