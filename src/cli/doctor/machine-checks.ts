import { isSea } from 'node:sea';
import type { Config } from '../../config/config.js';
import { readMachine } from '../../config/machine.js';
import { childBudgetBytes } from '../../config/memory-budget.js';
import { projectRoot } from '../../config/project-root.js';
import { rootWarning } from '../../config/root-warning.js';
import { formatSize } from '../../config/units.js';
import type { Check, Warning } from './check.js';

/** What the service runs on. */
export const MACHINE_CHECKS: readonly Check[] = [
  { name: 'node', run: async () => checkNode() },
  { name: 'user', run: async () => checkUser() },
  { name: 'memory', run: async (config) => describeMemory(config) },
];

function checkNode(): string {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 24) throw new Error(`version ${process.versions.node} is too old, 24 is needed`);
  return `version ${process.versions.node}${isSea() ? `, files unpacked in ${projectRoot()}` : ''}`;
}

function checkUser(): string | Warning {
  const warning = rootWarning();
  return warning === undefined ? 'is not root' : { warning };
}

function describeMemory(config: Config): string {
  const { WORKERS, WORKER_MEMORY, READERS, READER_MEMORY, UPLOADERS, UPLOADER_MEMORY } = config;
  const { cores, memoryBytes } = readMachine();
  const parts = [
    `${WORKERS} workers of up to ${formatSize(childBudgetBytes('run', WORKER_MEMORY))}`,
    `${READERS} readers of up to ${formatSize(childBudgetBytes('read', READER_MEMORY))}`,
    `${UPLOADERS} uploaders of up to ${formatSize(childBudgetBytes('ingest', UPLOADER_MEMORY))}`,
  ];
  return `${parts.join(', ')} on a machine of ${cores} cores and ${formatSize(memoryBytes)}`;
}
