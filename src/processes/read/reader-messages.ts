/**
 * Priority class of a read: `interactive` reads a page, which is bounded and quick; `bulk` streams
 * a whole result for as long as its client takes. Each class has an engine instance of its own, so
 * that many slow downloads hold up no page.
 */
export type PriorityClass = 'interactive' | 'bulk';

/** A trusted `SELECT` and the COPY options that say in what text its rows are written. */
export interface CopyStatement {
  readonly text: string;
  /** Bound to the `?` placeholders of the text, in order. */
  readonly values: readonly string[];
  readonly options: string;
}

/** The options of a read child, which answers `ready`. */
export interface EngineOptions {
  /** Folders of the results. */
  readonly resultFolders: readonly string[];
  /** Private folder: pipes, spilled data. */
  readonly pipesFolder: string;
  /** Memory that the engine may plan with, both classes together. */
  readonly memoryBytes: number;
  readonly threads: number;
}

/** From the server to a read child. */
export type ToReadChild =
  | { kind: 'open'; options: EngineOptions }
  | { kind: 'copy'; id: number; priority: PriorityClass; statement: CopyStatement; pipe: string }
  | { kind: 'interrupt'; id: number };

/**
 * From a read child to the server. Each copy is answered by `started` and then `done`, or by
 * `failed` or `out-of-memory`.
 */
export type FromReadChild =
  | { kind: 'ready' }
  | { kind: 'started'; id: number }
  | { kind: 'done'; id: number }
  | { kind: 'failed'; id: number; message: string }
  | { kind: 'out-of-memory'; id: number };
