import type { FileHandle } from 'node:fs/promises';
import type { LinkedFormat } from '../../storage/linked/linked-format.js';
import type { LinkedColumnType, LinkedText } from '../../storage/linked/linked-text.js';
import type { Column, NamedType } from '../../types/column.js';

/** The named sets of limits from which a caller chooses. */
export type ResourceClass = 'medium' | 'large';

/**
 * The limits of one run. A run that exceeds one is stopped and fails with the matching {@link
 * FailureType}.
 */
export interface RunLimits {
  /** Memory that the engine may plan with; `childBudgetBytes` is what its process can reach. */
  readonly memoryBytes: number;
  readonly threads: number;
  /** Longest time of the run, with a second pass if its result has to be cut. */
  readonly timeoutMs: number;
  /** Size of the stored result; a larger one is cut to what fits. */
  readonly maxResultBytes: number;
  /** Disk that the run may use for spilling. */
  readonly maxSpillBytes: number;
}

/** How to read files that this service did not write. */
export interface FileReading {
  readonly format: LinkedFormat;
  /** Relative paths of the files. If `isHive`, the names of their folders contain columns. */
  readonly relativePaths: readonly string[];
  readonly isHive: boolean;
  /**
   * The columns to read, except those in the names of folders; all columns if there are none here.
   */
  readonly columns: readonly LinkedColumnType[];
  /** The columns in the names of folders. */
  readonly partitions?: readonly NamedType[];
  /**
   * How CSV and NDJSON files are read. Absent if an earlier version linked them: they cannot be
   * read.
   */
  readonly text?: LinkedText;
  /**
   * Opens one of the files, which is read as it is then, even if another one stands at its path
   * later. Nothing if the file is gone or cannot be read.
   */
  readonly open: (path: string) => Promise<FileHandle | undefined>;
}

/** A table that a statement named, found for the account that runs it. */
export interface RunTable {
  /** Name as the statement may write it, without a namespace. */
  readonly name: string;
  /** Handle of the account that owns it. */
  readonly namespace: string;
  /** Absolute paths of its files: the Parquet parts of one version, or the files of `reading`. */
  readonly parts: readonly string[];
  /** Only for files that this service did not write. */
  readonly reading?: FileReading;
  /** Columns whose type Parquet does not keep: their text is cast to it. */
  readonly casts?: readonly NamedType[];
  /** Whether its bare name finds it: it is a table of the caller, or no table shadows it. */
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
  /**
   * The account that runs the statement, if it is its own: its runs can share a process. A
   * statement of another account gets a process of its own.
   */
  readonly authorId?: string;
  /** Values of the placeholders `$name` in the statement; the engine casts them. */
  readonly parameters?: Readonly<Record<string, string>>;
  /**
   * Finds the tables that the statement names, for the account that runs it. Others are left out.
   */
  readonly resolveTables: (references: readonly TableReference[]) => Promise<readonly RunTable[]>;
  /** Finds names similar to a missing one, of tables that the account may see. */
  readonly findNearNames?: (missing: TableReference) => Promise<readonly string[]>;
}

/** The wire names of what can end a run (`docs/contract.md`, "Status"). */
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
  /** Offset in the statement in UTF-16 code units, if the engine reports it. */
  readonly offset?: number;
}

/** What a run produced, as far as the engine reports it. */
export interface RunResult {
  readonly columns: readonly Column[];
  readonly rowCount: number;
  /** Size of the file. */
  readonly fileBytes: number;
  /** Logical size of all rows: width of fixed-width values, UTF-8 length of text, 0 for NULL. */
  readonly logicalBytes: number;
  /** Logical size of the largest row. */
  readonly maxRowBytes: number;
  /** Whether the result was cut to `maxResultBytes`. */
  readonly isTruncated: boolean;
}

/**
 * How a run ended. `lost`: the process died without exceeding a limit; another attempt can succeed.
 */
export type RunOutcome =
  | {
      readonly kind: 'completed';
      readonly result: RunResult;
      /** Absolute path of the Parquet file, in the run's own folder; the caller takes it over. */
      readonly path: string;
      /** Whether the statement read a private table. */
      readonly readPrivateTable: boolean;
    }
  /** `reason`: what the operator must mend, for the log. */
  | { readonly kind: 'failed'; readonly failure: RunFailure; readonly reason?: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'lost'; readonly reason: string };

/** A run under way. */
export interface EngineRun {
  /** Settles when the run has ended: nothing of it changes its result any more. Never rejects. */
  readonly outcome: Promise<RunOutcome>;
  /** Above 0, up to 100, and never less than before; undefined if the engine does not report it. */
  progressPercentage(): number | undefined;
  /** Stops the run: `outcome` settles within a second. Harmless once it has ended. */
  cancel(): void;
  /**
   * Waits until the process is gone, and deletes its files. The caller has adopted the result
   * before.
   */
  dispose(): Promise<void>;
}

/** What an engine does of what not every engine can. */
export interface EngineCapabilities {
  /** Limits that the engine enforces. It can exceed the others. */
  readonly enforcedLimits: ReadonlySet<keyof RunLimits>;
  /** Formats of linked files that statements can read. */
  readonly fileFormats: ReadonlySet<LinkedFormat>;
  /** Whether {@link EngineRun.progressPercentage} ever reports a value. */
  readonly reportsProgress: boolean;
}
