import { join } from 'node:path';
import { DiskFullError } from '../../http/disk-full.error.js';
import type { Child } from '../pool/child.js';
import { ChildEndedError, describeExit } from '../pool/child-exit.js';
import { childScript } from '../pool/child-script.js';
import { ProcessPool } from '../pool/process-pool.js';
import { toInvalidContent, UploadTooHeavyError } from './ingest.errors.js';
import type { FromIngestChild, IngestJob, IngestOutcome, ToIngestChild } from './ingest-messages.js';

/** What one ingest child may use. */
export interface IngestLimits {
  /** Memory that the engine may plan with. */
  readonly memoryBytes: number;
  /** The child is killed when it uses more than this. */
  readonly maxResidentBytes: number;
  readonly threads: number;
  /** Disk that one job may use beside the file that it writes. */
  readonly maxSpillBytes: number;
  /** Longest time that one job may take. */
  readonly timeoutMs: number;
}

const READY_TIMEOUT_MS = 30_000;
/**
 * Node reserves some 600 MB that it never touches, and the engine's allocator keeps the addresses
 * of what it has freed: up to 2 GB for tables of 2,000 columns. The rest is for what grows between
 * two checks of the watchdog.
 */
const DATA_HEADROOM_BYTES = 3 * 2 ** 30;
/**
 * A child that has read this much is ended after its job, so that the memory that its engine keeps
 * is freed.
 */
const MAX_READ_BYTES = 4_000_000_000;
/**
 * One that has read more than this is ended when it is idle: a large insert has its next job within
 * moments.
 */
const RETIRE_IDLE = { use: 32_000_000, afterMs: 500 };

/** A process that does ingest jobs, one at a time. */
export type IngestChild = Child<ToIngestChild, FromIngestChild>;

/**
 * The children that do ingest jobs, up to a number: a job that finds none free waits, first come,
 * first served. The use of a child is what it reads, in bytes. A service that is only read has no
 * child: they start with the first job.
 *
 * @param folder where each child has a folder of its own.
 * @param readable folders whose files the children may open.
 */
export function ingestPool(
  processes: number,
  folder: string,
  readable: readonly string[],
  { memoryBytes, maxResidentBytes, threads, maxSpillBytes }: IngestLimits,
): ProcessPool<ToIngestChild, FromIngestChild> {
  const engine = { folders: readable, memoryBytes, threads, maxSpillBytes };
  const limits = { heapMegabytes: 256, niceness: 5, openFiles: 4_096, residentBytes: maxResidentBytes };
  return new ProcessPool({
    script: childScript('ingest'),
    folder,
    ownsFolder: true,
    limits: { ...limits, dataBytes: maxResidentBytes + DATA_HEADROOM_BYTES },
    firstMessage: (own) => ({ kind: 'open', options: { ...engine, spillFolder: join(own, 'spill') } }),
    min: 0,
    max: processes,
    maxUse: MAX_READ_BYTES,
    retireIdle: RETIRE_IDLE,
    readyTimeoutMs: READY_TIMEOUT_MS,
  });
}

/**
 * Does a job.
 *
 * @param timeoutMs longest time that the job may take.
 * @throws InvalidContentError, after which the child can be used again; UploadTooHeavyError,
 *   DiskFullError, the signal's reason; an ordinary Error if the process died or failed by itself.
 */
export async function runIngestJob(
  child: IngestChild,
  job: IngestJob,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<IngestOutcome> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return toOutcome(await child.ask({ kind: 'job', job }, AbortSignal.any(signal ? [signal, timeout] : [timeout])));
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) throw new UploadTooHeavyError('time');
    if (!(error instanceof ChildEndedError)) throw error;
    if (error.exit.isOverMemory) throw new UploadTooHeavyError('memory');
    throw new Error(`The ingest process died: ${describeExit(error.exit)}`);
  }
}

function toOutcome(answer: FromIngestChild): IngestOutcome {
  switch (answer.kind) {
    case 'done':
      return answer.outcome;
    case 'refused':
      throw toInvalidContent(answer.issue.code, answer.issue.message, answer.issue.details);
    case 'out-of-memory':
      throw new UploadTooHeavyError('memory');
    case 'disk-full':
      throw new DiskFullError();
    case 'failed':
      throw new Error(`The ingest process failed: ${answer.message}`);
    case 'ready':
      throw new Error('The ingest process was not ready');
  }
}
