/** What the engine may use. */
export interface EngineBudget {
  readonly memoryBytes: number;
  readonly threads: number;
}

/** What the rows of a part are like. */
export interface RowShape {
  readonly columnCount: number;
  /** Average size of a row as text. */
  readonly rowBytes: number;
}

/** How the engine goes about writing a part. */
export interface WorkPlan {
  readonly threads: number;
  readonly rowGroupRows: number;
  /** Most text that the dictionary of one column may hold. */
  readonly dictionaryBytes: number;
}

/** Rows in a row group of tables that are not wide: what the reading side was tuned for. */
const ROW_GROUP_ROWS = 122_880;
/** The engine's own limit of a dictionary's text. */
const DICTIONARY_BYTES = 2 ** 20;
/** Share of the memory for the text of all dictionaries, which the engine allocates at once. */
const DICTIONARY_SHARE = 1 / 8;
/** Share of the memory for one row group: several are written at the same time. */
const ROW_GROUP_SHARE = 1 / 8;
/** What a value takes beside its text. */
const VALUE_BYTES = 16;
/** Less memory a thread cannot work with. */
const THREAD_BYTES = 96_000_000;
/** From here on more threads are slower: each holds vectors and dictionaries of every column. */
const WIDE_COLUMNS = 200;

/** Plans the writing of a part within the memory: beyond it, the engine would spill endlessly. */
export function planWork({ memoryBytes, threads }: EngineBudget, { columnCount, rowBytes }: RowShape): WorkPlan {
  const maxThreads = columnCount > WIDE_COLUMNS ? 1 : Math.max(1, Math.floor(memoryBytes / THREAD_BYTES));
  const rows = Math.floor((memoryBytes * ROW_GROUP_SHARE) / (rowBytes + VALUE_BYTES * columnCount));
  return {
    threads: Math.min(threads, maxThreads),
    rowGroupRows: Math.max(1, Math.min(ROW_GROUP_ROWS, rows)),
    dictionaryBytes: Math.min(DICTIONARY_BYTES, Math.floor((memoryBytes * DICTIONARY_SHARE) / columnCount)),
  };
}
