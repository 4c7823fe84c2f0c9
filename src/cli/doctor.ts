import { access, constants, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { Catalog } from '../catalog/catalog.js';
import { rootWarning } from '../common/root-warning.js';
import type { Config } from '../config/config.js';
import { loadConfig } from '../config/load-config.js';
import { readMachine } from '../config/machine.js';
import { runBudgetBytes, trustedBudgetBytes } from '../config/memory-law.js';
import { formatSize } from '../config/units.js';
import { DuckDbEngine } from '../executions/engine/duckdb/duckdb-engine.js';
import type { Engine, EngineCapabilities, RunLimits } from '../executions/engine/engine.js';
import { runClasses } from '../executions/run-classes.js';

interface Check {
  readonly name: string;
  readonly run: (config: Config) => Promise<string | Warning>;
}

/** Something that works, and that the operator should change. */
interface Warning {
  readonly warning: string;
}

interface Finding {
  readonly ok: boolean;
  /** Only of what works. */
  readonly isWarning?: true;
  readonly message: string;
}

/** `eider doctor`: says what the service would run with, and what stands in its way. */
export function registerDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check settings, folder, catalog and memory')
    .option('--json', 'print JSON', false)
    .action(async ({ json }: { json: boolean }) => {
      const config = loadConfig();
      const findings = [];
      for (const { name, run } of CHECKS) findings.push({ name, ...(await examine(run, config)) });
      console.log(
        json
          ? JSON.stringify(findings)
          : findings.map(({ name, ...finding }) => `${wordFor(finding)}  ${name}: ${finding.message}`).join('\n'),
      );
      if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
    });
}

function wordFor({ ok, isWarning }: Finding): string {
  if (!ok) return 'FAIL';
  return isWarning ? 'warn' : 'ok  ';
}

async function examine(run: Check['run'], config: Config): Promise<Finding> {
  try {
    const found = await run(config);
    return typeof found === 'string'
      ? { ok: true, message: found }
      : { ok: true, isWarning: true, message: found.warning };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

const CHECKS: readonly Check[] = [
  { name: 'node', run: async () => checkNode() },
  { name: 'user', run: async () => checkUser() },
  { name: 'memory', run: async (config) => describeMemory(config) },
  { name: 'data folder', run: checkFolder },
  { name: 'catalog', run: checkCatalog },
  { name: 'engine', run: checkEngine },
];

function checkNode(): string {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 24) throw new Error(`version ${process.versions.node} is too old, 24 is needed`);
  return `version ${process.versions.node}`;
}

function checkUser(): string | Warning {
  const warning = rootWarning();
  return warning === undefined ? 'is not root' : { warning };
}

function describeMemory({
  WORKERS,
  WORKER_MEMORY,
  READERS,
  READER_MEMORY,
  UPLOADERS,
  UPLOADER_MEMORY,
}: Config): string {
  const { cores, memoryBytes } = readMachine();
  const parts = [
    `${WORKERS} workers of up to ${formatSize(runBudgetBytes(WORKER_MEMORY))}`,
    `${READERS} readers of up to ${formatSize(trustedBudgetBytes(READER_MEMORY))}`,
    `${UPLOADERS} uploaders of up to ${formatSize(trustedBudgetBytes(UPLOADER_MEMORY))}`,
  ];
  return `${parts.join(', ')} on a machine of ${cores} cores and ${formatSize(memoryBytes)}`;
}

async function checkFolder({ DATA_DIR }: Config): Promise<string> {
  await mkdir(DATA_DIR, { recursive: true });
  await access(DATA_DIR, constants.R_OK | constants.W_OK);
  return 'can be written';
}

async function checkCatalog({ DATA_DIR }: Config): Promise<string> {
  const catalog = await Catalog.open(DATA_DIR);
  try {
    const accounts = await catalog.selectFrom('accounts').select('id').execute();
    return `opens, ${accounts.length} accounts`;
  } finally {
    await catalog.destroy();
  }
}

/** Runs a statement, as the service would, in a folder of its own: a server may be at work in the data folder. */
async function checkEngine(config: Config): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'eider-doctor-'));
  const { medium, large } = runClasses(config);
  // No children ahead: one is enough, and beside a server there may be no memory for more.
  const classes = { medium: { ...medium, readyChildren: 0 }, large };
  const engine: Engine = new DuckDbEngine({ runsFolder: join(folder, 'runs'), classes });
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

function describeCapabilities({ enforcedLimits, fileFormats, tellsProgress }: EngineCapabilities): string {
  const limits = (Object.keys(LIMIT_NAMES) as (keyof RunLimits)[]).filter((limit) => enforcedLimits.has(limit));
  return [
    `holds them to their ${limits.map((limit) => LIMIT_NAMES[limit]).join(', ')}`,
    `reads ${[...fileFormats].join(', ')} files`,
    ...(tellsProgress ? ['tells progress'] : []),
  ].join('; ');
}
