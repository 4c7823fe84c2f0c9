import type { TableColumn } from '../../types/table-column.js';
import type { RenamedColumn } from './csv-options.js';

/** A body, or the CSV text of one, in the staging folder. Who staged it must `discard` it. */
export interface StagedFile {
  /** Absolute path. */
  readonly path: string;
  readonly sizeBytes: number;
}

/** How much of a text stands before an offset of it. */
export interface TextOffset {
  readonly lines: number;
  readonly rows: number;
}

/** A finished Parquet file in the staging folder, for the store of tables to adopt. */
export interface IngestedPart extends StagedFile {
  readonly rowCount: number;
  readonly columns: readonly TableColumn[];
  /** Lines that it was made of; only of a text of lines. */
  readonly lineCount?: number;
  /** Columns whose names in the text were replaced, if there are some. */
  readonly renamed?: readonly RenamedColumn[];
}

/** The unchecked fields of an upload, and the staged CSV text of its field `data`. */
export interface StagedUpload {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Absent if the request has no `data`. */
  readonly data?: StagedFile;
}
