import { stat } from 'node:fs/promises';
import type { LinkedFormat } from '../../../../storage/linked/linked-format.js';
import {
  type FileStamp,
  isSameStamp,
  type LinkedColumnType,
  type LinkedCsvLayout,
  toStamp,
} from '../../../../storage/linked/linked-text.js';
import type { TableColumn } from '../../../../types/table-column.js';
import { valueRule } from '../values/value-rule.js';
import { CsvColumn } from './csv-column.js';
import { exactRule } from './exact-rule.js';
import { JsonColumn } from './json-column.js';
import { type ExpectedColumns, LinkedColumns } from './linked-columns.js';
import { ChangedFileError, LinkedFileError } from './linked-file-error.js';
import { type ScannedText, scanLinkedCsv } from './scan-linked-csv.js';
import { scanLinkedNdjson } from './scan-linked-ndjson.js';

/** How the text files of one table are to be scanned. */
export interface TextScannerOptions {
  readonly format: Exclude<LinkedFormat, 'parquet'>;
  /** Only of CSV. */
  readonly layout?: LinkedCsvLayout;
  readonly expected: ExpectedColumns;
  /** Lower-case names of columns with given types. Values of others must keep their digits. */
  readonly givenColumns: ReadonlySet<string>;
  /** Whether columns that are not known are text. */
  readonly isAllText?: boolean;
  /** Why a name in the header of a CSV file cannot be used. */
  readonly findNameIssue?: (name: string) => string | undefined;
}

/** What a scan found of a file, and in which state the file was. */
export type StampedText = ScannedText & { readonly stamp: FileStamp };

/** Scans the text files of one table, one after the other. */
export class TextScanner {
  readonly #columns: LinkedColumns<CsvColumn | JsonColumn>;
  readonly #scan: (path: string) => Promise<ScannedText>;

  constructor(private readonly options: TextScannerOptions) {
    const { format, layout, expected, findNameIssue } = options;
    if (format === 'csv' && layout) {
      const columns = new LinkedColumns(expected, (name, known) => new CsvColumn(name, this.#typed(name, known)));
      this.#columns = columns;
      this.#scan = (path) => scanLinkedCsv(path, layout, columns, findNameIssue);
    } else {
      const columns: LinkedColumns<JsonColumn> = new LinkedColumns(
        expected,
        (name, known) => new JsonColumn(name, columns, this.#typed(name, known)),
      );
      this.#columns = columns;
      this.#scan = (path) => scanLinkedNdjson(path, columns);
    }
  }

  /** The columns of all files so far. @throws LinkedFileError */
  columns(): TableColumn[] {
    return this.#columns.columns();
  }

  /** Known columns that no file has had so far. */
  get missing(): LinkedColumnType[] {
    return this.#columns.missing;
  }

  /**
   * Scans a file.
   *
   * @param relativePath the file as messages name it.
   * @throws LinkedFileError
   */
  async scan(path: string, relativePath: string): Promise<StampedText> {
    this.#columns.file = relativePath;
    try {
      const before = await findStamp(path);
      const scanned = await this.#scan(path);
      const stamp = await findStamp(path);
      if (!isSameStamp(before, stamp)) throw new ChangedFileError(relativePath);
      return { ...scanned, stamp };
    } catch (error) {
      throw LinkedFileError.from(error, relativePath);
    }
  }

  #typed(name: string, known: LinkedColumnType | undefined) {
    const column: LinkedColumnType | undefined =
      known ?? (this.options.isAllText ? { name, type: { kind: 'scalar', name: 'VARCHAR' } } : undefined);
    if (!column) return undefined;
    const { type } = column;
    // Any value of JSON is text.
    if (type.kind === 'scalar' && (type.name === 'JSON' || type.name === 'VARCHAR')) return { column, rule: ANY_TEXT };
    const isGiven = this.options.givenColumns.has(name.toLowerCase());
    return { column, rule: isGiven ? valueRule({ ...column, nullable: true }) : exactRule(column) };
  }
}

const ANY_TEXT = valueRule({ name: '', type: { kind: 'scalar', name: 'VARCHAR' }, nullable: true });

/** The state of a file. */
export async function findStamp(path: string): Promise<FileStamp> {
  return toStamp(await stat(path, { bigint: true }));
}
