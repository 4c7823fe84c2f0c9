import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ulid } from 'ulid';
import type { LinkedFiles } from '../../storage/linked/linked-files.js';
import type { LinkOptions } from '../../storage/linked/linked-text.js';
import type { TableColumn } from '../../types/table-column.js';
import { appendLines } from './append-lines.js';
import type { CsvOptions } from './csv-options.js';
import { IngestChild, type IngestLimits } from './ingest-child.js';
import type { IngestJob, IngestOutcome } from './ingest-messages.js';
import { IngestPool } from './ingest-pool.js';
import type { IngestedPart, StagedFile, StagedLines, TextPlace } from './staged-file.js';
import { discard, newStagingPath } from './staging.js';

/** What {@link Ingest} works with. */
export interface IngestOptions {
  /** The staging folder: where staged files lie and finished parts are written. On the same file system as the store of tables. */
  readonly stagingFolder: string;
  /** Folders, beside it, of files that jobs read: the store of tables, and where linked files lie. */
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
 * Turns staged bodies into Parquet parts, in child processes: the server itself never reads a row. Jobs beyond the number of processes
 * wait their turn; there is no process before the first job. The staging folder must exist (`sweepStaging`). A part is written whole or not
 * at all; whoever asked for it takes it over or discards it.
 */
export class Ingest {
  readonly #pool: IngestPool;

  constructor(private readonly options: IngestOptions) {
    const { stagingFolder, readableFolders, processes, limits } = options;
    this.#pool = new IngestPool(processes, () =>
      IngestChild.start(join(stagingFolder, `child-${ulid()}`), [stagingFolder, ...readableFolders], limits),
    );
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
   * Makes a table of a CSV text: its columns are those of the header, their types inferred from every row (`inferType`).
   *
   * @throws RefusedContentError, UploadTooHeavyError
   */
  inferCsv(file: StagedFile, options: CsvOptions = {}, signal?: AbortSignal): Promise<IngestedPart> {
    return this.#write({ kind: 'infer-csv', source: file.path, options }, file.sizeBytes, signal);
  }

  /**
   * Reads rows of a CSV text for a table with these columns. Its header names them in any order; nullable ones may be left out.
   *
   * @throws RefusedContentError, UploadTooHeavyError
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
   * Reads rows, one JSON object a line, for a table with these columns, into a part for each of these pieces of one text. Nullable columns
   * may be left out.
   *
   * @param before what stands before the pieces in the text.
   * @throws RefusedContentError, UploadTooHeavyError
   */
  appendNdjson(
    pieces: readonly StagedLines[],
    columns: readonly TableColumn[],
    before: TextPlace = { lines: 0, rows: 0 },
    signal?: AbortSignal,
  ): Promise<IngestedPart[]> {
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece.sizeBytes, 0);
    return this.#writeAll(pieces.length, sizeBytes, signal, (targets) => ({
      kind: 'append-ndjson',
      pieces: pieces.map((source, index) => ({ source, target: targets[index] as string })),
      before,
      columns,
    }));
  }

  /**
   * Reads rows like {@link appendNdjson} out of a text that is still arriving, into as many parts as it takes.
   *
   * @throws RefusedContentError, UploadTooHeavyError, whatever `chunks` throw
   */
  appendArrivingNdjson(
    chunks: AsyncIterable<Buffer>,
    columns: readonly TableColumn[],
    signal?: AbortSignal,
  ): Promise<IngestedPart[]> {
    const { stagingFolder, segmentBytes = SEGMENT_BYTES } = this.options;
    return appendLines(chunks, stagingFolder, segmentBytes, (pieces, before) =>
      this.appendNdjson(pieces, columns, before, signal),
    );
  }

  /** Writes a part without rows, so that a new or cleared table has one that tells its columns. */
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
   * @throws UnreadableFilesError
   */
  async describeFiles(files: LinkedFiles, options: LinkOptions = {}): Promise<IngestOutcome> {
    const run = (child: IngestChild) => child.run({ kind: 'describe', files, options });
    const [outcome] = await this.#pool.use(Number.POSITIVE_INFINITY, run);
    return outcome as IngestOutcome;
  }

  async #write(job: PartJob, sizeBytes: number, signal?: AbortSignal): Promise<IngestedPart> {
    const toJob = ([target]: readonly string[]): IngestJob => ({ ...job, target: target as string });
    const [part] = await this.#writeAll(1, sizeBytes, signal, toJob);
    return part as IngestedPart;
  }

  async #writeAll(
    count: number,
    sizeBytes: number,
    signal: AbortSignal | undefined,
    toJob: (targets: readonly string[]) => IngestJob,
  ): Promise<IngestedPart[]> {
    const paths = Array.from({ length: count }, () => newStagingPath(this.options.stagingFolder, 'parquet'));
    try {
      const outcomes = await this.#pool.use(sizeBytes, (child) => child.run(toJob(paths), signal));
      return await Promise.all(paths.map((path, index) => toPart(path, outcomes[index] as IngestOutcome)));
    } catch (error) {
      await Promise.all(paths.map((path) => discard({ path })));
      throw error;
    }
  }
}

async function toPart(path: string, outcome: IngestOutcome): Promise<IngestedPart> {
  return { path, sizeBytes: (await stat(path)).size, ...outcome };
}
