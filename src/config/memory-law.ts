import type { Machine } from './machine.js';
import { formatSize } from './units.js';

/** Settings that decide how much memory the service can use. */
export interface MemorySettings {
  readonly WORKERS: number;
  readonly WORKER_MEMORY: number;
  readonly READERS: number;
  readonly READER_MEMORY: number;
  readonly UPLOADERS: number;
  readonly UPLOADER_MEMORY: number;
}

/** What a process that runs untrusted SQL may use beyond twice the engine's own limit: Node, the engine's code, buffers outside its accounting. */
const RUN_OVERHEAD_BYTES = 500_000_000;
/** The same for a process that runs only SQL of the service: it calls no function that escapes the engine's accounting. */
const TRUSTED_OVERHEAD_BYTES = 250_000_000;
const SERVER_BYTES = 400_000_000;
/** Kept free for the operating system and its page cache. */
const MARGIN_SHARE = 0.08;

/** The most memory that a run child can reach whose engine may plan with `engineBytes`: the process is killed above it. */
export function runBudgetBytes(engineBytes: number): number {
  return 2 * engineBytes + RUN_OVERHEAD_BYTES;
}

/** The same for a child that reads results or uploads. */
export function trustedBudgetBytes(engineBytes: number): number {
  return 2 * engineBytes + TRUSTED_OVERHEAD_BYTES;
}

/** Least memory that an engine can work with. */
const MIN_ENGINE_BYTES = 64e6;

/** Defaults that obey the law on this machine, as long as it has about 2 GB: below that nothing does. */
export function deriveMemorySettings({ cores, memoryBytes }: Machine): MemorySettings {
  const usable = memoryBytes * (1 - MARGIN_SHARE) - SERVER_BYTES;
  const READERS = Math.min(4, Math.ceil(cores / 4));
  const READER_MEMORY = clamp(memoryBytes * 0.1 - 150e6, MIN_ENGINE_BYTES, 4e9);
  const UPLOADERS = 1;
  // From 3.5 GB on, a table of a thousand columns can be made, from 7.5 GB on, one of 2,000.
  const UPLOADER_MEMORY = clamp(memoryBytes * 0.064 - 64e6, MIN_ENGINE_BYTES, 2e9);
  const others = READERS * trustedBudgetBytes(READER_MEMORY) + UPLOADERS * trustedBudgetBytes(UPLOADER_MEMORY);
  const forWorkers = usable - others;
  // One more than the cores that they use: a slot is kept free for accounts that run nothing.
  const WORKERS = Math.floor(clamp(forWorkers / runBudgetBytes(256e6), 1, Math.min(cores, 8) + 1));
  const WORKER_MEMORY = clamp((forWorkers / WORKERS - RUN_OVERHEAD_BYTES) / 2, MIN_ENGINE_BYTES, 16e9);
  return { WORKERS, WORKER_MEMORY, READERS, READER_MEMORY, UPLOADERS, UPLOADER_MEMORY };
}

/** Says how the settings break the memory law, or nothing if they obey it. */
export function findMemoryLawBreach(settings: MemorySettings, machine: Machine): string | undefined {
  const workers = settings.WORKERS * runBudgetBytes(settings.WORKER_MEMORY);
  const readers = settings.READERS * trustedBudgetBytes(settings.READER_MEMORY);
  const uploaders = settings.UPLOADERS * trustedBudgetBytes(settings.UPLOADER_MEMORY);
  const margin = machine.memoryBytes * MARGIN_SHARE;
  const needed = workers + readers + uploaders + SERVER_BYTES + margin;
  if (needed <= machine.memoryBytes) return undefined;
  return (
    `WORKERS, READERS and UPLOADERS with their memory together can need ${formatSize(needed)} ` +
    `(workers ${formatSize(workers)}, readers ${formatSize(readers)}, uploaders ${formatSize(uploaders)}, ` +
    `server ${formatSize(SERVER_BYTES)}, margin ${formatSize(margin)}), but this machine gives ${formatSize(machine.memoryBytes)}: lower one of them`
  );
}

function clamp(value: number, min: number, max: number): number {
  return Math.floor(Math.min(max, Math.max(min, value)));
}
