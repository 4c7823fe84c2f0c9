import { stat } from 'node:fs/promises';
import { type FileStamp, isSameStamp } from '../../../storage/linked/linked-text.js';
import { writeCanonicalCsv } from '../../ingest/child/csv/canonical-csv.js';
import { CsvHeader } from '../../ingest/child/csv/csv-header.js';
import { ChangedFileError, LinkedFileError } from '../../ingest/child/linked/linked-file-error.js';
import type { ReadableText } from '../../ingest/child/linked/text-rows-to-sql.js';
import { findStamp, TextScanner } from '../../ingest/child/linked/text-scanner.js';
import type { ChildTable, KnownScan } from '../run-messages.js';
import { changedFilesText, toFullName } from './changed-files.js';
import { RefusedStatementError } from './gate/refused-statement-error.js';

/** A table whose files the engine can read as they are. */
export interface PreparedTable extends ChildTable {
  /** Only of linked text files. */
  readonly texts?: readonly ReadableText[];
}

/** A text file in the state in which it was found well-formed. */
interface StampedFile {
  readonly table: ChildTable;
  readonly path: string;
  readonly stamp: FileStamp;
}

/** The text files of the linked tables of a run. */
export class LinkedTexts {
  private constructor(
    readonly tables: readonly PreparedTable[],
    private readonly files: readonly StampedFile[],
  ) {}

  /**
   * Prepares the text files so that the engine reads every value as it is written. Files without a
   * scan are scanned by the rules of uploads first; those that the engine could understand
   * otherwise are rewritten beside their links.
   *
   * @param maxBytes of disk for files that are rewritten.
   * @throws RefusedStatementError if a file does not fit its table.
   */
  static async prepare(tables: readonly ChildTable[], maxBytes: number): Promise<LinkedTexts> {
    const stamped: StampedFile[] = [];
    const rewriter = new Rewriter(maxBytes);
    const prepared: PreparedTable[] = [];
    for (const table of tables) {
      if (!table.reading || table.reading.format === 'parquet') {
        prepared.push(table);
        continue;
      }
      const texts: ReadableText[] = [];
      for (const { path, known } of await scanTable(table)) {
        stamped.push({ table, path, stamp: known.stamp });
        texts.push(await rewriter.rewrite({ path, scan: known.scan }, table));
      }
      refuseLostColumns(table, texts);
      prepared.push({ ...table, files: texts.map(({ path }) => path), texts });
    }
    return new LinkedTexts(prepared, stamped);
  }

  /**
   * Reads the files, which must not change meanwhile.
   *
   * @throws RefusedStatementError if one has changed: neither a result nor an error is valid then.
   */
  async readUnchanged<T>(read: () => Promise<T>): Promise<T> {
    try {
      const result = await read();
      await this.#refuseChanges();
      return result;
    } catch (error) {
      await this.#refuseChanges();
      throw error;
    }
  }

  async #refuseChanges(): Promise<void> {
    for (const { table, path, stamp } of this.files)
      if (!isSameStamp(stamp, await findStamp(path))) throw changedMeanwhile(table);
  }
}

interface ScannedPath {
  readonly path: string;
  readonly known: KnownScan;
}

/** What is known of the files of a table, or else found by reading them. */
async function scanTable(table: ChildTable): Promise<ScannedPath[]> {
  const scanner = scannerOf(table);
  const scanned: ScannedPath[] = [];
  for (const [index, path] of table.files.entries()) {
    const known =
      table.scans?.[index] ?? (await scanner.scan(path, '').catch((error: unknown) => explain(error, table)));
    scanned.push({ path, known });
  }
  return scanned;
}

function scannerOf(table: ChildTable): TextScanner {
  const { format, columns, partitions = [], text } = table.reading as NonNullable<ChildTable['reading']>;
  if (!text || format === 'parquet')
    throw new RefusedStatementError(
      `The table ${toFullName(table)} was linked by an earlier version of the service, and the operator must link it again`,
    );
  return new TextScanner({
    format,
    ...(text.layout && { layout: text.layout }),
    expected: { known: columns, isClosed: true, ignored: new Set(partitions.map(({ name }) => name.toLowerCase())) },
    givenColumns: new Set(text.givenColumns.map((name) => name.toLowerCase())),
  });
}

function explain(error: unknown, table: ChildTable): never {
  if (error instanceof ChangedFileError) throw changedMeanwhile(table);
  if (error instanceof LinkedFileError) throw new RefusedStatementError(`${changed(table)}: ${error.reason}`);
  throw error;
}

/** Missing keys of NDJSON are NULL. A column of CSV that is in no file was renamed. */
function refuseLostColumns(table: ChildTable, texts: readonly ReadableText[]): void {
  if (table.reading?.format !== 'csv') return;
  const names = new Set(texts.flatMap(({ scan }) => scan.csv?.names ?? []).map((name) => name.toLowerCase()));
  const lost = table.reading.columns.find(({ name }) => !names.has(name.toLowerCase()));
  if (lost) throw new RefusedStatementError(`${changed(table)}: none of them has the column "${lost.name}"`);
}

function changed(table: ChildTable): string {
  const text = changedFilesText([table]);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function changedMeanwhile(table: ChildTable): RefusedStatementError {
  return new RefusedStatementError(
    `A file of ${toFullName(table)} was changed while the query read it: run the query again`,
  );
}

/** Rewrites files for the engine, as long as there is room. */
class Rewriter {
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  async rewrite(text: ReadableText, table: ChildTable): Promise<ReadableText> {
    const { csv, longestRecordBytes } = text.scan;
    const layout = table.reading?.text?.layout;
    if (!csv?.isUnusual || !layout) return text;
    const path = `${text.path}.plain.csv`;
    await writeCanonicalCsv(text.path, path, CsvHeader.of(csv.names, csv.hasTrailingDelimiter), layout).catch(
      (error: NodeJS.ErrnoException) => {
        throw error.code === 'EFBIG' ? tooLarge(table) : error;
      },
    );
    this.#bytes += (await stat(path)).size;
    if (this.#bytes > this.maxBytes) throw tooLarge(table);
    // Quotes can double.
    const scan = {
      longestRecordBytes: 2 * longestRecordBytes + 2,
      csv: { ...csv, hasTrailingDelimiter: false, isUnusual: false },
    };
    return { path, scan };
  }
}

function tooLarge(table: ChildTable): RefusedStatementError {
  return new RefusedStatementError(
    `The files of ${toFullName(table)} have quotes or line ends that have to be rewritten for each query, ` +
      'and are too large for that: the operator must rewrite them',
  );
}
