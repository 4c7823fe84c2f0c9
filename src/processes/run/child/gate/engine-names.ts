import { isEngineSchema } from '../../../../types/schema-name.js';

/** What account handles and table names look like. */
const NAME = /^[a-z][a-z0-9_]{0,62}$/;

/** Names of the engine's own catalog, which can be reached without a schema. */
const ENGINE_TABLE = /^(duckdb_|pg_|sqlite_|pragma_|information_schema$)/;

/** Whether an account's table can have this name and be found by it alone. */
export function canBeBareName(name: string): boolean {
  return NAME.test(name) && !ENGINE_TABLE.test(name);
}

/** Whether an account's handle can be used as a namespace in a statement. */
export function canBeNamespace(handle: string): boolean {
  return NAME.test(handle) && !isEngineSchema(handle);
}

/** Whether a table in a namespace can have this name. */
export function canBeQualifiedName(name: string): boolean {
  return NAME.test(name);
}
