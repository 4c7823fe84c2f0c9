// Lists the functions of the pinned engine that src/processes/run/child/gate/functions.json does
// not know yet, and those that it lists although the engine has dropped them. Run it after an
// upgrade of the engine, review each name (what can it read, change or reveal beyond its
// arguments?), and write it into "allowed" or "refused":
//
//   npm exec -- node scripts/function-allowlist.mjs
import { readFileSync } from 'node:fs';
import { DuckDBInstance, version } from '@duckdb/node-api';

const path = new URL('../src/processes/run/child/gate/functions.json', import.meta.url);
const { allowed, refused } = JSON.parse(readFileSync(path, 'utf8'));
const listed = new Set([...allowed, ...refused]);

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
const rows = await connection.runAndReadAll(
  `SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro') ORDER BY ALL`,
);
const existing = new Set(rows.getRows().map(([name]) => name));

console.log(`Engine ${version()}`);
console.log(`New, to be reviewed: ${[...existing].filter((name) => !listed.has(name)).join(' ') || 'none'}`);
console.log(
  `Listed, but not among the engine's functions: ${[...listed].filter((name) => !existing.has(name)).join(' ') || 'none'}`,
);
