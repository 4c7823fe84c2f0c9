import type { CsvOptions } from '../processes/ingest/csv-options.js';
import type { StagedFile } from '../processes/ingest/staged-file.js';
import type { TableColumn } from '../types/table-column.js';
import type { RowFormat } from './row-format.js';
import type { UploadRequest } from './upload-request.decorator.js';

/** The properties of a new table that do not depend on its data. */
export interface TableTraits {
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
}

/** A table to be made without rows. */
export interface NewEmptyTable extends TableTraits {
  /** The account's own when absent. */
  readonly namespace?: string;
  readonly columns: readonly TableColumn[];
}

/** A table to be made of a CSV text. */
export interface NewUpload {
  readonly table: TableTraits;
  readonly csv: CsvOptions;
  /** The staged text, deleted by what makes the table; absent if the request has none. */
  readonly data: StagedFile | undefined;
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
}

/** Rows to be added to a table. */
export interface NewRows {
  readonly request: UploadRequest;
  readonly format: RowFormat;
  /** How CSV is read. */
  readonly csv: CsvOptions;
}
