/** Deepest nesting of JSON in a request. */
export const MAX_JSON_DEPTH = 64;
