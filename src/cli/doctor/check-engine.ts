import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import type { Engine } from '../../executions/engine.js';
import { runClasses } from '../../executions/run-classes.js';
import { DuckDbEngine } from '../../processes/run/duckdb-engine.js';
import type { EngineCapabilities, RunLimits } from '../../processes/run/run.js';

/**
 * Runs a statement, as the service would, in a folder of its own: a server may be at work in the
 * data folder.
 */
export async function checkEngine(config: Config): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'eider-doctor-'));
  const { medium, large } = runClasses(config);
  // No children ahead: one is enough, and beside a server there may be no memory for more.
  const classes = { medium: { ...medium, readyChildren: 0 }, large };
  const engine: Engine = new DuckDbEngine({ runsPerChild: 1, runsFolder: join(folder, 'runs'), classes });
  try {
    await engine.open();
    const resolveTables = async () => [];
    const run = engine.start({ executionId: 'doctor', sql: 'SELECT 42', resourceClass: 'medium', resolveTables });
    const outcome = await run.outcome;
    await run.dispose();
    if (outcome.kind === 'failed') throw new Error(outcome.failure.message);
    if (outcome.kind !== 'completed') throw new Error(`a run of SELECT 42 ended as ${JSON.stringify(outcome)}`);
    return `runs statements, ${describeCapabilities(engine.capabilities)}`;
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const LIMIT_NAMES: Readonly<Record<keyof RunLimits, string>> = {
  memoryBytes: 'memory',
  threads: 'threads',
  timeoutMs: 'time',
  maxResultBytes: 'size of the result',
  maxSpillBytes: 'spilled data',
};

function describeCapabilities({ enforcedLimits, fileFormats, reportsProgress }: EngineCapabilities): string {
  const limits = (Object.keys(LIMIT_NAMES) as (keyof RunLimits)[]).filter((limit) => enforcedLimits.has(limit));
  return [
    `holds them to their ${limits.map((limit) => LIMIT_NAMES[limit]).join(', ')}`,
    `reads ${[...fileFormats].join(', ')} files`,
    ...(reportsProgress ? ['tells progress'] : []),
  ].join('; ');
}
