import type { FileStamp, LinkedText, TextScan } from '../../storage/linked/linked-text.js';
import type { Column, NamedType } from '../../types/column.js';
import type { FileReading, RunFailure, TableReference } from './run.js';

/** A table of a run, as the run child sees it: `files` are relative to the run folder. */
export interface LinkedTable {
  readonly namespace: string;
  readonly name: string;
  readonly isBareName: boolean;
  readonly files: readonly string[];
  readonly reading?: Omit<FileReading, 'places' | 'open' | 'text'> & {
    readonly text?: Pick<LinkedText, 'layout' | 'givenColumns'>;
  };
  /** What is known of text files, in the order of `files`; nothing of those that have to be scanned first. */
  readonly scans?: readonly (KnownScan | null)[];
  readonly casts?: readonly NamedType[];
}

/** What was found of a text file when it was linked, and its state now. */
export interface KnownScan {
  readonly scan: TextScan;
  readonly stamp: FileStamp;
}

/** What the server answers to a run child that names tables. */
export interface FoundTables {
  readonly tables: readonly LinkedTable[];
  /** Names like the first one that is missing. */
  readonly nearNames: readonly string[];
}

/** Finds the first reference, in the order of the statement, for which there is no table. */
export function findMissing<R extends TableReference>(
  references: readonly R[],
  tables: readonly Pick<LinkedTable, 'namespace' | 'name' | 'isBareName'>[],
): R | undefined {
  return references.find(
    ({ namespace, name }) =>
      !tables.some(
        (table) => table.name === name && (namespace === undefined ? table.isBareName : table.namespace === namespace),
      ),
  );
}

/** One statement for a run child. */
export interface RunOrder {
  /** Absolute path of the run folder, with `in/`, `out/` and `tmp/`. */
  readonly folder: string;
  readonly sql: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly memoryBytes: number;
  readonly threads: number;
  readonly maxSpillBytes: number;
  /** Set for the second pass of a run whose whole result was too large: keep the first rows, as many as fit. */
  readonly fitBytes?: number;
}

/** What the server tells a run child. */
export type ToRunChild =
  | { readonly kind: 'run'; readonly order: RunOrder }
  /** The answer to `tables`. */
  | ({ readonly kind: 'tables' } & FoundTables)
  | { readonly kind: 'interrupt' };

/** Where a run stands; each has a time limit of its own. */
export type RunPhase = 'parse' | 'resolve' | 'bind' | 'execute';

/** What a run child wrote, as far as the engine tells. */
export interface WrittenResult {
  readonly columns: readonly Column[];
  readonly rowCount: number;
  readonly fileBytes: number;
  readonly logicalBytes: number;
  readonly maxRowBytes: number;
  readonly isTruncated: boolean;
}

/** What a run child tells the server. */
export type FromRunChild =
  | { readonly kind: 'ready' }
  /** Asks which of these tables exist for the account that runs the statement. */
  | { readonly kind: 'tables'; readonly references: readonly TableReference[] }
  | { readonly kind: 'phase'; readonly phase: RunPhase }
  | { readonly kind: 'progress'; readonly percentage: number }
  | { readonly kind: 'written'; readonly result: WrittenResult }
  | { readonly kind: 'failed'; readonly failure: RunFailure };

/** Where a run child writes its result, relative to the run folder. */
export const RESULT_FILE = 'out/r.parquet';
