/** What the name of a table is like, for the OpenAPI document. */
export const TABLE_NAME_PATTERN = '^[a-z][a-z0-9_]{0,62}$';

const NAME = new RegExp(TABLE_NAME_PATTERN);

/** The engine has tables of its own under such names. */
const RESERVED = /^(duckdb_|pg_|sqlite_|pragma_|information_schema$)/;

/** Why a text cannot name a table, or nothing if it can. */
export function findTableNameIssue(name: string): string | undefined {
  if (!NAME.test(name))
    return 'a table name is a lower-case letter, then lower-case letters, digits or _, at most 63 characters';
  if (RESERVED.test(name)) return `the name ${name} is kept for tables of the engine`;
  return undefined;
}
