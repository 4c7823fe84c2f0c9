import type { FileStamp, LinkedText, TextScan } from '../../storage/linked/linked-text.js';
import type { FileReading, RunFailure, RunResult, RunTable, TableReference } from './run.js';

/** A table of a run, as its child sees it. */
export interface ChildTable extends Omit<RunTable, 'parts' | 'reading' | 'isPrivate' | 'isMissing'> {
  /** Relative to the run folder. */
  readonly files: readonly string[];
  readonly reading?: Omit<FileReading, 'relativePaths' | 'open' | 'text'> & {
    readonly text?: Pick<LinkedText, 'layout' | 'givenColumns'>;
  };
  /**
   * The scans of text files, in the order of `files`; null for those that must be scanned first.
   */
  readonly scans?: readonly (KnownScan | null)[];
}

/** The scan of a text file when it was linked, and the state of the file now. */
export interface KnownScan {
  readonly scan: TextScan;
  readonly stamp: FileStamp;
}

/** The answer to a run child that asks for tables. */
export interface FoundTables {
  readonly tables: readonly ChildTable[];
  /** Names similar to the first one that is missing. */
  readonly nearNames: readonly string[];
}

/** Finds the first reference, in the order of the statement, for which there is no table. */
export function findMissing<R extends TableReference>(
  references: readonly R[],
  tables: readonly Pick<ChildTable, 'namespace' | 'name' | 'isBareName'>[],
): R | undefined {
  return references.find(
    ({ namespace, name }) =>
      !tables.some(
        (table) => table.name === name && (namespace === undefined ? table.isBareName : table.namespace === namespace),
      ),
  );
}

/** One statement for a run child. */
export interface RunJob {
  /** Absolute path of the run folder, with `in/`, `out/` and `tmp/`. */
  readonly folder: string;
  readonly sql: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly memoryBytes: number;
  readonly threads: number;
  readonly maxSpillBytes: number;
  /** For the second pass of a run whose result was too large: the first rows that fit are kept. */
  readonly fitBytes?: number;
}

/** From the server to a run child. */
export type ToRunChild =
  | { readonly kind: 'run'; readonly job: RunJob }
  /** The answer to `tables`. */
  | ({ readonly kind: 'tables' } & FoundTables)
  | { readonly kind: 'interrupt' };

/** The phase of a run; each has a time limit of its own. */
export type RunPhase = 'parse' | 'resolve' | 'bind' | 'execute';

/** From a run child to the server. */
export type FromRunChild =
  | { readonly kind: 'ready' }
  /** Asks which of these tables exist for the account that runs the statement. */
  | { readonly kind: 'tables'; readonly references: readonly TableReference[] }
  | { readonly kind: 'phase'; readonly phase: RunPhase }
  | { readonly kind: 'progress'; readonly percentage: number }
  | ({ readonly kind: 'written'; readonly result: RunResult } & RunEnd)
  | ({ readonly kind: 'failed'; readonly failure: RunFailure } & RunEnd);

/** Whether the child can take another statement of the same author. */
export interface RunEnd {
  readonly isReusable: boolean;
}

/** Where a run child writes its result, relative to the run folder. */
export const RESULT_FILE = 'out/r.parquet';
