import { stat } from 'node:fs/promises';
import type { LinkedFiles } from '../../storage/linked/linked-files.js';
import type { LinkOptions } from '../../storage/linked/linked-text.js';
import type { TableColumn } from '../../types/table-column.js';
import { appendSegments } from './append-segments.js';
import type { CsvOptions } from './csv-options.js';
import { InvalidContentError } from './ingest.errors.js';
import { type IngestLimits, ingestPool, runIngestJob } from './ingest-child.js';
import type { IngestJob, IngestOutcome } from './ingest-messages.js';
import type { IngestedPart, StagedFile, TextOffset } from './staged-file.js';
import { discard, newStagingPath } from './staging.js';

/** What {@link Ingest} works with. */
export interface IngestOptions {
  /** Where files are staged and parts are written. On the same file system as the tables. */
  readonly stagingFolder: string;
  /** Other folders that jobs read files of: tables, and linked files. */
  readonly readableFolders: readonly string[];
  /** Jobs at the same time, each in a process of its own. */
  readonly processes: number;
  readonly limits: IngestLimits;
  /** About how much of an arriving text is read in one go. */
  readonly segmentBytes?: number;
}

const SEGMENT_BYTES = 64 * 2 ** 20;

/** A job that writes one part, before it is known where. */
type PartJob<Job extends IngestJob = IngestJob> = Job extends { target: string } ? Omit<Job, 'target'> : never;

/**
 * Turns staged bodies into Parquet parts, in child processes: the server itself never reads a row.
 * Jobs beyond the number of processes wait; there is no process before the first job.
 * The staging folder must exist (`sweepStaging`). A part is written whole or not at all; the
 * caller adopts or discards it.
 */
export class Ingest {
  readonly #pool;

  constructor(private readonly options: IngestOptions) {
    const { stagingFolder, readableFolders, processes, limits } = options;
    this.#pool = ingestPool(processes, stagingFolder, [stagingFolder, ...readableFolders], limits);
  }

  /** Whether no process can be started. */
  get isFailing(): boolean {
    return this.#pool.isFailing;
  }

  /** Has a process ready by the time when a body that begins to arrive is there. */
  wake(): void {
    this.#pool.wake();
  }

  /** Ends the processes and whatever they are doing. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  /**
   * Makes a table of a CSV text: its columns are those of the header, their types inferred from
   * every row (`inferType`).
   *
   * @throws InvalidContentError, UploadTooHeavyError
   */
  inferCsv(file: StagedFile, options: CsvOptions = {}, signal?: AbortSignal): Promise<IngestedPart> {
    return this.#write({ kind: 'infer-csv', source: file.path, options }, file.sizeBytes, signal);
  }

  /**
   * Reads rows of a CSV text for a table with these columns. Its header names them in any order;
   * nullable ones may be left out.
   *
   * @throws InvalidContentError, UploadTooHeavyError
   */
  appendCsv(
    file: StagedFile,
    columns: readonly TableColumn[],
    options: CsvOptions = {},
    signal?: AbortSignal,
  ): Promise<IngestedPart> {
    return this.#write({ kind: 'append-csv', source: file.path, columns, options }, file.sizeBytes, signal);
  }

  /**
   * Reads rows, one JSON object a line, for a table with these columns. Nullable ones may be left
   * out.
   *
   * @param before how much of the text stands before this file.
   * @throws InvalidContentError, UploadTooHeavyError
   */
  appendNdjson(
    file: StagedFile,
    columns: readonly TableColumn[],
    before: TextOffset = { lines: 0, rows: 0 },
    signal?: AbortSignal,
  ): Promise<IngestedPart> {
    return this.#write({ kind: 'append-ndjson', source: file.path, columns, before }, file.sizeBytes, signal);
  }

  /**
   * Reads rows like {@link appendNdjson} out of a text that is still arriving, into as many parts
   * as it takes.
   *
   * @throws InvalidContentError, UploadTooHeavyError, whatever `chunks` throw
   */
  appendArrivingNdjson(
    chunks: AsyncIterable<Buffer>,
    columns: readonly TableColumn[],
    signal?: AbortSignal,
  ): Promise<IngestedPart[]> {
    const { stagingFolder, segmentBytes = SEGMENT_BYTES } = this.options;
    return appendSegments(chunks, stagingFolder, segmentBytes, (segment, before) =>
      this.appendNdjson(segment, columns, before, signal),
    );
  }

  /** Writes a part without rows, so that a new or cleared table has its columns. */
  writeEmpty(columns: readonly TableColumn[]): Promise<IngestedPart> {
    return this.#write({ kind: 'empty', columns }, 0);
  }

  /** Writes the rows of several parts of one table, in their order, into one part. */
  async merge(paths: readonly string[], columns: readonly TableColumn[]): Promise<IngestedPart> {
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
    const sizeBytes = sizes.reduce((sum, size) => sum + size, 0);
    return this.#write({ kind: 'merge', sources: paths, columns }, sizeBytes);
  }

  /**
   * Finds the columns and counts the rows of files that lie in one of the readable folders.
   *
   * @param sizeBytes of the files, if known; without it, the process gets no other job.
   * @throws UnreadableFilesError
   */
  describeFiles(
    files: LinkedFiles,
    options: LinkOptions = {},
    sizeBytes = Number.POSITIVE_INFINITY,
  ): Promise<IngestOutcome> {
    return this.#run({ kind: 'describe', files, options }, sizeBytes);
  }

  async #write(job: PartJob, sizeBytes: number, signal?: AbortSignal): Promise<IngestedPart> {
    const path = newStagingPath(this.options.stagingFolder, 'parquet');
    try {
      const outcome = await this.#run({ ...job, target: path }, sizeBytes, signal);
      return { path, sizeBytes: (await stat(path)).size, ...outcome };
    } catch (error) {
      await discard({ path });
      throw error;
    }
  }

  /** When this settles, nothing of the job is left at work. */
  async #run(job: IngestJob, sizeBytes: number, signal?: AbortSignal): Promise<IngestOutcome> {
    return this.#pool.use(
      { use: sizeBytes, ...(signal && { signal }) },
      (child) => runIngestJob(child, job, this.options.limits.timeoutMs, signal),
      (error) => error instanceof InvalidContentError,
    );
  }
}
