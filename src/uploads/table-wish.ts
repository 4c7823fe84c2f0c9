import type { CsvOptions } from '../processes/ingest/csv-options.js';
import type { TableColumn } from '../types/table-column.js';

/** The properties of a new table that do not depend on its data. */
export interface TableTraits {
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
}

/** What the uploader of a table decides. */
export interface UploadWish {
  readonly table: TableTraits;
  readonly csv: CsvOptions;
}

/** What the creator of a table decides. */
export interface TableWish extends TableTraits {
  /** The account's own when absent. */
  readonly namespace?: string;
  readonly columns: readonly TableColumn[];
}
