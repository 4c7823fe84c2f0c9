/** Deepest nesting of JSON in a request: more than any call needs, and little enough for whatever walks through it. */
export const MAX_JSON_DEPTH = 64;
