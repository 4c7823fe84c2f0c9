import type { NamedType } from '../../types/column.js';
import type { TableColumn } from '../../types/table-column.js';

/** How the operator asks to read files; what is absent is found from the files. */
export interface LinkOptions {
  /** Only of CSV: one character. */
  readonly delimiter?: string;
  /** Only of CSV: whether the first line names the columns, exactly so. */
  readonly hasHeader?: boolean;
  /** Every column is text. */
  readonly isAllText?: boolean;
  /** Types of some columns, or names and types of all columns of CSV without a header, in order. */
  readonly columns?: readonly TableColumn[];
}

/** The CSV dialect of linked files. */
export interface LinkedCsvLayout {
  readonly delimiter: string;
  /** Whether the first line names the columns. Otherwise all columns are in the table's order. */
  readonly hasHeader: boolean;
}

/** What a scan of a well-formed text file finds. */
export interface TextScan {
  /** Size of the longest record. */
  readonly longestRecordBytes: number;
  /** Only of CSV. */
  readonly csv?: {
    /** Names of the columns, in the order of the file. */
    readonly names: readonly string[];
    /** Whether the header ends with a delimiter. */
    readonly hasTrailingDelimiter: boolean;
    readonly hasQuotedNewline: boolean;
    /** Whether the engine could misread the file: then it is rewritten (`writeCanonicalCsv`). */
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
  /** Columns whose types the operator has given: numbers in them may be rounded to the type. */
  readonly givenColumns: readonly string[];
  /** The forms that the scanned CSV files have: most have the same. */
  readonly forms: readonly NonNullable<TextScan['csv']>[];
  /** Files that need no further scan while they stay as they are. */
  readonly files: readonly ScannedFile[];
}

/** A column of linked files. */
export type LinkedColumnType = NamedType & Pick<TableColumn, 'wideInteger'>;

/** The scans, made at the link, of files that have not changed. */
export class KnownScans {
  readonly #files: ReadonlyMap<string, ScannedFile>;

  constructor(private readonly text: LinkedText) {
    this.#files = new Map(text.files.map((file) => [file.path, file]));
  }

  /** The scan of a file in this state. */
  find(path: string, stamp: FileStamp): TextScan | undefined {
    const file = this.#files.get(path);
    if (!file || !isSameStamp(file, stamp)) return undefined;
    const csv = file.form === undefined ? undefined : this.text.forms[file.form];
    return { longestRecordBytes: file.longestRecordBytes, ...(csv && { csv }) };
  }
}

/** Whether two stamps of a file are equal. */
export function isSameStamp(one: FileStamp, other: FileStamp): boolean {
  return one.sizeBytes === other.sizeBytes && one.modifiedNs === other.modifiedNs;
}

/** The stamp of a file. */
export function toStamp({ size, mtimeNs }: { readonly size: bigint; readonly mtimeNs: bigint }): FileStamp {
  return { sizeBytes: Number(size), modifiedNs: String(mtimeNs) };
}
