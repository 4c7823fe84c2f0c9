import type { FileHandle } from 'node:fs/promises';
import type { LinkedColumnType, LinkedText } from '../../storage/linked/linked-text.js';
import type { Column, NamedType } from '../../types/column.js';

/** The named sets of limits from which a caller chooses. */
export type ResourceClass = 'medium' | 'large';

/** What one run of a class may use. A run that passes a limit is stopped and fails with the matching {@link FailureType}. */
export interface RunLimits {
  /** Memory that the engine may plan with; the process may use about twice that plus 500 MB. */
  readonly memoryBytes: number;
  readonly threads: number;
  /** Wall clock from the start of the run to its end, the second pass of a run whose result has to be cut included. */
  readonly timeoutMs: number;
  /** Size of the stored result; a larger one is cut to what fits. */
  readonly maxResultBytes: number;
  /** Disk that the run may use for spilling. */
  readonly maxSpillBytes: number;
}

/** How to read files that this service did not write. */
export interface FileReading {
  readonly format: 'parquet' | 'csv' | 'ndjson';
  /** Relative paths, one a file, with no `..` in them: the names of their folders hold columns if `isHive`. */
  readonly places: readonly string[];
  readonly isHive: boolean;
  /** The columns that the files are to have, those in the names of folders left out; others are not read. All of them if there are none here. */
  readonly columns: readonly LinkedColumnType[];
  /** The columns in the names of folders. */
  readonly partitions?: readonly NamedType[];
  /** How CSV and NDJSON files are read. Without it, they were linked by an earlier version and cannot be read. */
  readonly text?: LinkedText;
  /**
   * Opens one of the files. Whoever reads it must read what is open then, not what stands at the path later. Nothing if the file is gone, or
   * may not be read any more.
   */
  readonly open: (path: string) => Promise<FileHandle | undefined>;
}

/** A table that a statement named, found for the account that runs it. */
export interface RunTable {
  /** Name as the statement may write it, without a namespace. */
  readonly name: string;
  /** Handle of the account that owns it. */
  readonly namespace: string;
  /** Absolute paths of its files: the Parquet parts that make up the version this run sees, or those of `reading`. */
  readonly parts: readonly string[];
  /** Only for files that this service did not write. */
  readonly reading?: FileReading;
  /** Columns whose type Parquet does not keep: their text is cast to it. */
  readonly casts?: readonly NamedType[];
  /** Whether the bare name, too, finds this table (the caller's own tables and those that nothing shadows). */
  readonly isBareName: boolean;
  readonly isPrivate: boolean;
  /** Of a linked table: its files are gone, or may not be read any more. */
  readonly isMissing?: true;
}

/** A table name in a statement: `namespace` is absent for a bare name. */
export interface TableReference {
  readonly namespace?: string;
  readonly name: string;
}

/** One statement to run. */
export interface RunRequest {
  readonly executionId: string;
  readonly sql: string;
  readonly resourceClass: ResourceClass;
  /** Values of the placeholders `$name` in the statement; the engine casts them. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Finds the tables that the statement names, for the account that runs it; names it cannot find are left out. */
  readonly resolveTables: (references: readonly TableReference[]) => Promise<readonly RunTable[]>;
  /** Names like that of a table which does not exist, as the statement could write them: only of tables that the account may see. */
  readonly findNearNames?: (missing: TableReference) => Promise<readonly string[]>;
}

/** The wire names of what can end a run (`interface.md`, section 3). */
export const FAILURE_TYPES = [
  'FAILED_TYPE_EXECUTION_FAILED',
  'FAILED_TYPE_TIMEOUT',
  'FAILED_TYPE_OUT_OF_MEMORY',
  'FAILED_TYPE_RESULT_TOO_LARGE',
  'FAILED_TYPE_INTERNAL',
] as const;
export type FailureType = (typeof FAILURE_TYPES)[number];

/** Why a run failed, in words for its author; never a path of this server. */
export interface RunFailure {
  readonly type: FailureType;
  readonly message: string;
  /** Where in the statement, in UTF-16 code units from 0, when the engine tells. */
  readonly offset?: number;
}

/** What a run produced: a Parquet file, staged, not yet committed. */
export interface RunResult {
  /** Absolute path of the finished file, in the run's own folder; the caller takes it over. */
  readonly path: string;
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Size of the file. */
  readonly fileBytes: number;
  /** Logical size of all rows: the width of fixed-width values, the UTF-8 length of text, 0 for NULL. */
  readonly logicalBytes: number;
  /** Logical size of the largest row. */
  readonly maxRowBytes: number;
  /** Whether the result was cut to `maxResultBytes`. */
  readonly isTruncated: boolean;
  /** Whether the statement read a private table. */
  readonly readPrivateTable: boolean;
}

/** How a run ended. `lost`: the process died through no known limit, so that another attempt can succeed. */
export type RunOutcome =
  | { readonly kind: 'completed'; readonly result: RunResult }
  /** `reason`: what the operator must mend, for the log. */
  | { readonly kind: 'failed'; readonly failure: RunFailure; readonly reason?: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'lost'; readonly reason: string };

/** A run under way. */
export interface EngineRun {
  /** Settles when the run has ended: nothing of it changes its result any more. Never rejects. */
  readonly outcome: Promise<RunOutcome>;
  /** Above 0, up to 100, and never less than before, where the engine tells it. */
  progressPercentage(): number | undefined;
  /** Stops the run: `outcome` settles within a second. Harmless once it has ended. */
  cancel(): void;
  /** Waits until nothing of the run is left in memory, and deletes what it left on the disk, after the caller has taken the result over. */
  dispose(): Promise<void>;
}

/** What an engine does of what not every engine can. */
export interface EngineCapabilities {
  /** Limits that every run is held to. Whatever is not named here is no more than a wish to this engine. */
  readonly enforcedLimits: ReadonlySet<keyof RunLimits>;
  /** Formats of linked files that statements can read. */
  readonly fileFormats: ReadonlySet<FileReading['format']>;
  /** Whether {@link EngineRun.progressPercentage} ever tells anything. */
  readonly tellsProgress: boolean;
}
