/** How a CSV text is to be read, as far as its sender decides. */
export interface CsvOptions {
  /** The character between cells. When absent, it is found from the text (`findDelimiter`). */
  readonly delimiter?: string;
  /** Whether the first record names the columns. It does when absent; otherwise they are named `column0`, `column1` and so on. */
  readonly header?: boolean;
}
