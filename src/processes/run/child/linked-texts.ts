import { stat } from 'node:fs/promises';
import { type FileStamp, isSameStamp } from '../../../storage/linked/linked-text.js';
import { writeCanonicalCsv } from '../../ingest/child/csv/canonical-csv.js';
import { CsvHeader } from '../../ingest/child/csv/csv-header.js';
import { ChangedFileFault, FileFault } from '../../ingest/child/linked/file-fault.js';
import type { ReadableText } from '../../ingest/child/linked/text-rows-to-sql.js';
import { findStamp, TextScanner } from '../../ingest/child/linked/text-scanner.js';
import type { KnownScan, LinkedTable } from '../run-messages.js';
import { changedFilesText, toFullName } from './changed-files.js';
import { RefusedStatementError } from './gate/refused-statement-error.js';

/** A table whose files the engine can read as they are. */
export interface PreparedTable extends LinkedTable {
  /** Only of linked text files. */
  readonly texts?: readonly ReadableText[];
}

/** A text file in the state in which it was found well-formed. */
interface StampedFile {
  readonly table: LinkedTable;
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
   * Makes sure that the engine will read every value of the text files as it is written: those that are not known from their link are read
   * by the rules of uploads first, and those that the engine could understand in another way are rewritten beside their links.
   *
   * @param maxBytes of disk for files that are rewritten.
   * @throws RefusedStatementError if a file does not fit its table.
   */
  static async prepare(tables: readonly LinkedTable[], maxBytes: number): Promise<LinkedTexts> {
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
   * Does something with the files, which must stay as they are meanwhile.
   *
   * @throws RefusedStatementError if one has changed: then neither a result nor an error of the engine means anything.
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
async function scanTable(table: LinkedTable): Promise<ScannedPath[]> {
  const scanner = scannerOf(table);
  const scanned: ScannedPath[] = [];
  for (const [index, path] of table.files.entries()) {
    const known =
      table.scans?.[index] ?? (await scanner.scan(path, '').catch((error: unknown) => explain(error, table)));
    scanned.push({ path, known });
  }
  return scanned;
}

function scannerOf(table: LinkedTable): TextScanner {
  const { format, columns, partitions = [], text } = table.reading as NonNullable<LinkedTable['reading']>;
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

function explain(error: unknown, table: LinkedTable): never {
  if (error instanceof ChangedFileFault) throw changedMeanwhile(table);
  if (error instanceof FileFault) throw new RefusedStatementError(`${changed(table)}: ${error.reason}`);
  throw error;
}

/** Keys that lines of NDJSON leave out are NULL, but a column of CSV that no file has any more was renamed. */
function refuseLostColumns(table: LinkedTable, texts: readonly ReadableText[]): void {
  if (table.reading?.format !== 'csv') return;
  const names = new Set(texts.flatMap(({ scan }) => scan.csv?.names ?? []).map((name) => name.toLowerCase()));
  const lost = table.reading.columns.find(({ name }) => !names.has(name.toLowerCase()));
  if (lost) throw new RefusedStatementError(`${changed(table)}: none of them has the column "${lost.name}"`);
}

function changed(table: LinkedTable): string {
  const text = changedFilesText([table]);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function changedMeanwhile(table: LinkedTable): RefusedStatementError {
  return new RefusedStatementError(
    `A file of ${toFullName(table)} was changed while the query read it: run the query again`,
  );
}

/** Rewrites files for the engine, as long as there is room. */
class Rewriter {
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  async rewrite(text: ReadableText, table: LinkedTable): Promise<ReadableText> {
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

function tooLarge(table: LinkedTable): RefusedStatementError {
  return new RefusedStatementError(
    `The files of ${toFullName(table)} have quotes or line ends that have to be rewritten for each query, ` +
      'and are too large for that: the operator must rewrite them',
  );
}
