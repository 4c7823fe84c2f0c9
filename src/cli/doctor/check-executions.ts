import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Catalog } from '../../catalog/catalog.js';
import { DataFolderLock } from '../../catalog/data-folder-lock.js';
import type { Config } from '../../config/config.js';
import type { Execution } from '../../executions/execution.js';
import { recoverRunning } from '../../executions/execution-recovery.js';
import { ExecutionsRepository } from '../../executions/executions.repository.js';
import { countOf, type DoctorOptions, ProblemsError } from './check.js';

/** Attempts to find an execution: a server may be starting or ending it now. */
const ATTEMPTS = 10;
const PAUSE_MS = 300;

/** Whether every execution that is marked as running has a process that runs it. */
export async function checkExecutions(catalog: Catalog, config: Config, { repair }: DoctorOptions): Promise<string> {
  const executions = new ExecutionsRepository(catalog);
  const { running, lost } = await findLost(executions, config);
  if (lost.length === 0) return running === 0 ? 'none is running' : countOf(running, 'running execution');
  if (!repair || DataFolderLock.isTaken(config.DATA_DIR))
    throw new ProblemsError(lost.map(({ id }) => `the execution ${id} is EXECUTING, and no process runs it`));
  await recoverAll(lost, executions, config);
  return `ended ${countOf(lost.length, 'execution')} that no process runs: the next start runs them again, up to MAX_ATTEMPTS times`;
}

async function findLost(
  executions: ExecutionsRepository,
  { DATA_DIR }: Config,
): Promise<{ running: number; lost: Execution[] }> {
  for (let attempt = 1; ; attempt++) {
    const marked = await executions.listIn('EXECUTING');
    const folders = DataFolderLock.isTaken(DATA_DIR) ? await readdir(join(DATA_DIR, 'runs')).catch(() => []) : [];
    const lost = marked.filter(({ id }) => !folders.some((folder) => folder.startsWith(`${id}-`)));
    if (lost.length === 0 || attempt === ATTEMPTS) return { running: marked.length, lost };
    await setTimeout(PAUSE_MS);
  }
}

/** No server may start meanwhile. */
async function recoverAll(lost: readonly Execution[], executions: ExecutionsRepository, config: Config): Promise<void> {
  const lock = DataFolderLock.take(config.DATA_DIR);
  try {
    for (const execution of lost) await recoverRunning(execution, executions, config, new Date());
  } finally {
    lock.release();
  }
}
