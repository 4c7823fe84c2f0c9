/** Largest statement, in bytes of UTF-8 (`docs/security.md`, "The statement gate"). */
export const MAX_STATEMENT_BYTES = 100_000;
