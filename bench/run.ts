import { benchBinary } from './binary.js';
import { benchExecutions } from './executions.js';
import { benchFairness } from './fairness.js';
import { benchReads } from './reads.js';
import { BenchServer } from './support.js';
import { benchInsertAndRun, benchManyTables, benchSmallInserts, benchUpload } from './tables.js';

/** The benches by name, in the order in which they run. */
const BENCHES: Readonly<Record<string, (server: BenchServer) => Promise<void>>> = {
  results: async (server) => benchReads(server, await benchExecutions(server)),
  upload: benchUpload,
  insert: benchInsertAndRun,
  'small-inserts': benchSmallInserts,
  'many-tables': benchManyTables,
  fairness: benchFairness,
  binary: benchBinary,
};

/**
 * `npm run bench [-- NAME …]`: prints every figure, or those of the named benches, beside what it
 * must be, as a table.
 */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !BENCHES[name]);
  if (unknown.length > 0) throw new Error(`There is no bench ${unknown}, but ${Object.keys(BENCHES).join(', ')}`);
  console.log('| Case | Figure | Must | Medians |\n|---|---|---|---|');
  const server = await BenchServer.start();
  try {
    for (const [name, bench] of Object.entries(BENCHES)) {
      if (names.length === 0 || names.includes(name)) await bench(server);
    }
  } finally {
    await server.stop();
  }
}

await main(process.argv.slice(2));
