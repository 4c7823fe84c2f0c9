import type { LinkedFiles } from '../../storage/linked/linked-files.js';
import type { LinkedText, LinkOptions } from '../../storage/linked/linked-text.js';
import type { TableColumn } from '../../types/table-column.js';
import type { CsvOptions, RenamedColumn } from './csv-options.js';
import type { TextOffset } from './staged-file.js';

/** What a child needs at its start; it answers `ready`. */
export interface EngineOptions {
  /** Folders that the engine may open files of, for good. */
  readonly folders: readonly string[];
  /** The child's own folder, for what its engine spills. */
  readonly spillFolder: string;
  readonly memoryBytes: number;
  readonly threads: number;
  readonly maxSpillBytes: number;
}

/** A job; `target` is where to write the Parquet file. */
export type IngestJob =
  /** A table from a CSV text, its types inferred. */
  | {
      readonly kind: 'infer-csv';
      readonly source: string;
      readonly target: string;
      readonly options: CsvOptions;
    }
  | {
      readonly kind: 'append-csv';
      readonly source: string;
      readonly target: string;
      readonly columns: readonly TableColumn[];
      readonly options: CsvOptions;
    }
  | {
      readonly kind: 'append-ndjson';
      readonly source: string;
      readonly target: string;
      readonly columns: readonly TableColumn[];
      /** How much of the whole text stands before the source, for messages. */
      readonly before: TextOffset;
    }
  /** A part without rows. */
  | { readonly kind: 'empty'; readonly target: string; readonly columns: readonly TableColumn[] }
  /** Parts of one table, in order, into one. */
  | {
      readonly kind: 'merge';
      readonly sources: readonly string[];
      readonly target: string;
      readonly columns: readonly TableColumn[];
    }
  /** What a linked table would hold. Nothing is written. */
  | { readonly kind: 'describe'; readonly files: LinkedFiles; readonly options: LinkOptions };

/** The job of a kind. */
export type JobOf<Kind extends IngestJob['kind']> = Extract<IngestJob, { readonly kind: Kind }>;

/** What a job found or wrote. */
export interface IngestOutcome {
  readonly columns: readonly TableColumn[];
  readonly rowCount: number;
  /** Lines that were read; only of a text of lines. */
  readonly lineCount?: number;
  /** Only of linked text files. */
  readonly text?: LinkedText;
  /** Columns of a CSV text whose names were replaced, if there are some. */
  readonly renamed?: readonly RenamedColumn[];
}

/** Why a child refuses the content of an upload. The server throws it as the error of that code. */
export interface ContentIssue {
  readonly code: 'invalid_csv' | 'invalid_ndjson' | 'invalid_column_name' | 'invalid_row' | 'unreadable_files';
  readonly message: string;
  readonly details: Readonly<Record<string, string | number>>;
}

/** From the server to a child: one job at a time. */
export type ToIngestChild =
  | { readonly kind: 'open'; readonly options: EngineOptions }
  | { readonly kind: 'job'; readonly job: IngestJob };

/** From a child to the server. `failed` is a failure of the child itself, not of the content. */
export type FromIngestChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly outcome: IngestOutcome }
  | { readonly kind: 'refused'; readonly issue: ContentIssue }
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'disk-full' }
  | { readonly kind: 'failed'; readonly message: string };
