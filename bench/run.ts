import { benchExecutions } from './executions.js';
import { benchReads } from './reads.js';
import { BenchServer } from './support.js';
import { benchTables } from './tables.js';

/** `npm run bench`: prints every figure beside what it must be, as a table. */
async function main(): Promise<void> {
  console.log('| Case | Figure | Must | Medians |\n|---|---|---|---|');
  const server = await BenchServer.start();
  try {
    await benchReads(server, await benchExecutions(server));
    await benchTables(server);
  } finally {
    await server.stop();
  }
}

void main();
