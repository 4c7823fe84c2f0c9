const HANDLE = /^[a-z][a-z0-9_]{0,62}$/;

/** Schemas that the engine has itself; an account of that name would hide them or be hidden. */
const RESERVED = ['main', 'memory', 'system', 'temp', 'recurring', 'information_schema'];
const RESERVED_PREFIXES = ['pg_', 'duckdb_'];

/** Why a text cannot be an account's handle, or nothing if it can. The handle is the namespace of its tables in SQL. */
export function findHandleProblem(text: string): string | undefined {
  if (!HANDLE.test(text))
    return 'a handle is a lower-case letter, then lower-case letters, digits or _, at most 63 characters';
  if (RESERVED.includes(text) || RESERVED_PREFIXES.some((prefix) => text.startsWith(prefix)))
    return `the handle ${text} is the name of a schema of the engine`;
  return undefined;
}
