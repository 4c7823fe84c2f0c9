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

/**
 * What a child process can use beyond twice the memory that its engine may plan with: Node, the
 * engine's code, and buffers outside the engine's accounting. Untrusted SQL can call functions that
 * allocate many of those.
 */
const OVERHEAD_BYTES = { run: 500e6, read: 250e6, ingest: 250e6 };
/** The server process and the syntax child. */
const SERVER_BYTES = 400e6;
/** Kept free for the operating system and its page cache. */
const MARGIN_SHARE = 0.08;
/** Least memory that an engine can work with. */
const MIN_ENGINE_BYTES = 64e6;

/**
 * The most memory that a child process can reach whose engine may plan with `engineBytes`: ordinary
 * work takes twice what the engine accounts for. The limits of the children enforce it.
 */
export function childBudgetBytes(kind: keyof typeof OVERHEAD_BYTES, engineBytes: number): number {
  return 2 * engineBytes + OVERHEAD_BYTES[kind];
}

/** Defaults within the memory budget of this machine if it has about 2 GB or more. */
export function deriveMemorySettings({ cores, memoryBytes }: Machine): MemorySettings {
  const READERS = Math.min(4, Math.ceil(cores / 4));
  const READER_MEMORY = clamp(memoryBytes * 0.1 - 150e6, MIN_ENGINE_BYTES, 4e9);
  const UPLOADERS = 1;
  // From 3.5 GB on, a table of a thousand columns can be made, from 7.5 GB on, one of 2,000.
  const UPLOADER_MEMORY = clamp(memoryBytes * 0.064 - 64e6, MIN_ENGINE_BYTES, 2e9);
  const rest = { WORKERS: 0, WORKER_MEMORY: 0, READERS, READER_MEMORY, UPLOADERS, UPLOADER_MEMORY };
  const forWorkers = memoryBytes - sum(budgetParts(rest, memoryBytes));
  // One more than the cores that they use: a slot is kept free for accounts that run nothing.
  const WORKERS = clamp(forWorkers / childBudgetBytes('run', 256e6), 1, Math.min(cores, 8) + 1);
  const WORKER_MEMORY = clamp((forWorkers / WORKERS - OVERHEAD_BYTES.run) / 2, MIN_ENGINE_BYTES, 16e9);
  return { ...rest, WORKERS, WORKER_MEMORY };
}

/** The most memory that the service can use with these settings, and what is kept free. */
export function memoryBudgetBytes(settings: MemorySettings, { memoryBytes }: Machine): number {
  return Math.ceil(sum(budgetParts(settings, memoryBytes)));
}

/** Explains by how much settings exceed the memory budget of this machine, if they do. */
export function findExceededMemoryBudget(settings: MemorySettings, { memoryBytes }: Machine): string | undefined {
  const parts = budgetParts(settings, memoryBytes);
  if (sum(parts) <= memoryBytes) return undefined;
  const listed = Object.entries(parts).map(([name, bytes]) => `${name} ${formatSize(bytes)}`);
  return (
    `WORKERS, READERS and UPLOADERS with their memory together can need ${formatSize(sum(parts))} ` +
    `(${listed.join(', ')}), but this machine has ${formatSize(memoryBytes)}: lower one of them`
  );
}

function budgetParts(settings: MemorySettings, memoryBytes: number): Readonly<Record<string, number>> {
  return {
    workers: settings.WORKERS * childBudgetBytes('run', settings.WORKER_MEMORY),
    readers: settings.READERS * childBudgetBytes('read', settings.READER_MEMORY),
    uploaders: settings.UPLOADERS * childBudgetBytes('ingest', settings.UPLOADER_MEMORY),
    server: SERVER_BYTES,
    margin: memoryBytes * MARGIN_SHARE,
  };
}

function sum(parts: Readonly<Record<string, number>>): number {
  return Object.values(parts).reduce((total, bytes) => total + bytes, 0);
}

function clamp(value: number, min: number, max: number): number {
  return Math.floor(Math.min(max, Math.max(min, value)));
}
