import { FAILPOINTS, type Failpoint, type FailpointKind, type FailpointName } from '../../../src/config/failpoints.js';
import { Program, untilNobodyWorksIn } from '../program.js';
import { Issues } from './issue.js';
import type { Operation } from './operations.js';
import type { PreparedFolder } from './prepared-folder.js';
import { COUNT_ALL, readTrace, type Trace } from './trace.js';
import type { WalkCase } from './walk-case.js';
import { WalkClient } from './walk-client.js';

/** How often clients poll, and in how many chunks a text arrives, is not the same each time. */
const UNSTEADY: ReadonlySet<FailpointName> = new Set(['catalog-read', 'staging-write']);
const NOTHING: Trace = new Map();
const LAST_TIME: ReadonlySet<FailpointKind> = new Set(['crash', 'eio']);

/**
 * The cases of an operation: it is done once without a disturbance, and each failpoint that it
 * reaches fires in every kind the first time that it is reached, and in the kinds `crash` and `eio`
 * also the last time.
 */
export async function planWalk(prepared: PreparedFolder, operation: Operation): Promise<WalkCase[]> {
  const folder = await prepared.copy();
  try {
    await operation.prepare?.(folder);
    const { before, after } = await traceOf(folder, operation);
    return [...after].flatMap(([name, last]) => casesOf(operation, name, (before.get(name) ?? 0) + 1, last));
  } finally {
    await untilNobodyWorksIn(folder.path);
    await folder.remove();
  }
}

function casesOf(operation: Operation, name: FailpointName, first: number, last: number): WalkCase[] {
  if (last < first) return [];
  const { kinds }: Failpoint = FAILPOINTS[name];
  const isLastWalked = last > first && !UNSTEADY.has(name);
  const again = isLastWalked ? kinds.filter((kind) => LAST_TIME.has(kind)) : [];
  return [
    ...kinds.map((kind) => ({ operation, name, kind, nth: first })),
    ...again.map((kind) => ({ operation, name, kind, nth: last })),
  ];
}

/** What was reached until now: what was written before an answer has arrived before it. */
async function traceNow(program: Program): Promise<Trace> {
  await fetch(`${program.url}/health/live`);
  return readTrace(program.output);
}

/** What was reached before the window of an operation, and at its end. */
async function traceOf(folder: PreparedFolder, operation: Operation): Promise<{ before: Trace; after: Trace }> {
  const settings = { DATA_DIR: folder.dataDir, ...operation.settings, TEST_FAILPOINT: COUNT_ALL };
  if (operation.command) {
    const { code, output } = await Program.run(operation.command(folder), settings).exited;
    if (code !== 0) throw new Error(`${operation.name}: ${output}`);
    return { before: NOTHING, after: readTrace(output) };
  }
  const program = await Program.serve(settings);
  try {
    const issues = new Issues();
    const client = new WalkClient(program, undefined, issues, folder.ledger);
    const started = await traceNow(program);
    await operation.act?.(client, folder);
    const acted = await traceNow(program);
    const { output } = await program.stop('SIGTERM');
    if (issues.found.length > 0) throw new Error(`${operation.name}: ${JSON.stringify(issues.found)}`);
    switch (operation.window) {
      case 'start':
        return { before: NOTHING, after: started };
      case 'act':
        return { before: started, after: acted };
      case 'start and act':
        return { before: NOTHING, after: acted };
      case 'stop':
        return { before: acted, after: readTrace(output) };
    }
  } finally {
    await program.stop('SIGKILL');
  }
}
