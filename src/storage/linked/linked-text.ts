import type { NamedType } from '../../types/column.js';
import type { TableColumn } from '../../types/table-column.js';

/** What the operator decides of how files are read; whatever is absent is found from the files. */
export interface LinkOptions {
  /** Only of CSV: one character. */
  readonly delimiter?: string;
  /** Only of CSV: whether the first line names the columns. If so, the names are taken as they are. */
  readonly hasHeader?: boolean;
  /** Every column is text. */
  readonly isAllText?: boolean;
  /** Types of some columns, or names and types of all columns of CSV without a header, in order. */
  readonly columns?: readonly TableColumn[];
}

/** How linked CSV files are written. */
export interface LinkedCsvLayout {
  readonly delimiter: string;
  /** Whether the first line names the columns. Otherwise the files have all columns of the table, in its order. */
  readonly hasHeader: boolean;
}

/** What a reader has to know of one well-formed text file. */
export interface TextScan {
  /** Size of the longest record. */
  readonly longestRecordBytes: number;
  /** Only of CSV. */
  readonly csv?: {
    /** Names of the columns, in the order of the file. */
    readonly names: readonly string[];
    /** Whether the header ends with a delimiter, after which nothing follows. */
    readonly hasTrailingDelimiter: boolean;
    readonly hasQuotedNewline: boolean;
    /** Whether the engine could understand the file in another way: it has to be rewritten for it (`writeCanonicalCsv`). */
    readonly isUnusual: boolean;
  };
}

/** The state of a file: as long as it is the same, so is the content. */
export interface FileStamp {
  readonly sizeBytes: number;
  /** Time of the last change in nanoseconds, as decimal text. */
  readonly modifiedNs: string;
}

/** A text file that was scanned when it was linked. */
export interface ScannedFile extends FileStamp {
  /** Absolute, with no symbolic link in it. */
  readonly path: string;
  readonly longestRecordBytes: number;
  /** Index of its form in {@link LinkedText.forms}; only of CSV. */
  readonly form?: number;
}

/** How linked CSV or NDJSON files are read. Plain data: it is kept in the catalog. */
export interface LinkedText {
  /** Only of CSV. */
  readonly layout?: LinkedCsvLayout;
  /** Names of the columns whose types the operator has given: numbers in them may be rounded to the type. */
  readonly givenColumns: readonly string[];
  /** The forms that the scanned CSV files have: most have the same. */
  readonly forms: readonly NonNullable<TextScan['csv']>[];
  /** Files that need no further scan while they stay as they are. */
  readonly files: readonly ScannedFile[];
}

/** A column of linked files. */
export type LinkedColumnType = NamedType & Pick<TableColumn, 'wideInteger'>;

/** What scans at the link have found of files that are still as they were. */
export class KnownScans {
  readonly #files: ReadonlyMap<string, ScannedFile>;

  constructor(private readonly text: LinkedText) {
    this.#files = new Map(text.files.map((file) => [file.path, file]));
  }

  /** What is known of a file in this state. */
  find(path: string, stamp: FileStamp): TextScan | undefined {
    const file = this.#files.get(path);
    if (!file || !isSameStamp(file, stamp)) return undefined;
    const csv = file.form === undefined ? undefined : this.text.forms[file.form];
    return { longestRecordBytes: file.longestRecordBytes, ...(csv && { csv }) };
  }
}

/** Whether a file is unchanged between two looks at it. */
export function isSameStamp(one: FileStamp, other: FileStamp): boolean {
  return one.sizeBytes === other.sizeBytes && one.modifiedNs === other.modifiedNs;
}

/** The stamp of a file. */
export function toStamp({ size, mtimeNs }: { readonly size: bigint; readonly mtimeNs: bigint }): FileStamp {
  return { sizeBytes: Number(size), modifiedNs: String(mtimeNs) };
}
