import type { TableColumn } from './table-column.js';

/** What the uploader of a table decides. */
export interface UploadWish {
  readonly name: string;
  readonly description: string;
  readonly isPrivate: boolean;
}

/** What the creator of a table decides. */
export interface TableWish extends UploadWish {
  /** The account's own when absent. */
  readonly namespace?: string;
  readonly columns: readonly TableColumn[];
}
