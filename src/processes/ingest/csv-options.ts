/** Options for reading CSV text. */
export interface CsvOptions {
  /** The character between cells. When absent, it is detected (`findDelimiter`). */
  readonly delimiter?: string;
  /**
   * Whether the first record names the columns; true when absent. If false, the names are
   * `column0`, `column1` and so on.
   */
  readonly header?: boolean;
  /**
   * Whether invalid column names are refused (`keep`) or replaced (`normalize`, see
   * `normalizeNames`). When absent, they are refused, and the error does not suggest `normalize`.
   */
  readonly columnNames?: ColumnNames;
}

/** The values of {@link ColumnNames}. */
export const COLUMN_NAMES = ['keep', 'normalize'] as const;
/** What is done about invalid column names. */
export type ColumnNames = (typeof COLUMN_NAMES)[number];

/** A column whose name was replaced. */
export interface RenamedColumn {
  /** The name in the header, or its beginning. */
  readonly from: string;
  readonly to: string;
  /** Position of the column in the header, counted from 1. */
  readonly position: number;
}
