/** Largest statement of a user, in bytes of UTF-8 (`sandbox.md`, section 4.1): what parsing takes grows with it. */
export const MAX_STATEMENT_BYTES = 100_000;
