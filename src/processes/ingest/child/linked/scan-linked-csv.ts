import type { LinkedCsvLayout, TextScan } from '../../../../storage/linked/linked-text.js';
import { BYTE_ORDER_MARK } from '../../ascii.js';
import { csvFault } from '../csv/csv-fault.js';
import { CsvHeader } from '../csv/csv-header.js';
import type { CsvRecord } from '../csv/csv-record.js';
import { CsvScanner } from '../csv/csv-scanner.js';
import { type PieceReader, readPieces } from '../read-pieces.js';
import type { CsvColumn } from './csv-column.js';
import type { LinkedColumns } from './linked-columns.js';

/** What a scan of one file found. */
export interface ScannedText {
  readonly scan: TextScan;
  readonly rowCount: number;
}

type FindNameProblem = (name: string) => string | undefined;

/**
 * Reads a linked CSV file by the rules of uploads and gives its values to the columns.
 *
 * @param findNameProblem why a name in the header cannot be used.
 * @throws ContentFault
 */
export async function scanLinkedCsv(
  path: string,
  layout: LinkedCsvLayout,
  columns: LinkedColumns<CsvColumn>,
  findNameProblem: FindNameProblem = () => undefined,
): Promise<ScannedText> {
  const rows = new LinkedRows(layout, columns, findNameProblem);
  const scanner = new CsvScanner((record) => rows.take(record), layout);
  const reader = new PastByteOrderMark(scanner);
  await readPieces(path, reader);
  const { header } = rows;
  const { hasQuotedNewline, longestRecordBytes } = scanner.form;
  // Where the first line is data, the engine could take the mark for a part of it.
  const isUnusual = scanner.form.isUnusual || (reader.hasMark && !layout.hasHeader);
  const csv = { names: rows.names, hasTrailingDelimiter: header.hasTrailingDelimiter, hasQuotedNewline, isUnusual };
  return { scan: { longestRecordBytes, csv }, rowCount: rows.rowCount };
}

/** Gives the records of a text to columns. */
class LinkedRows {
  rowCount = 0;
  names: readonly string[] = [];
  #header: CsvHeader | undefined;
  #columns: readonly (CsvColumn | undefined)[] = [];

  constructor(
    private readonly layout: LinkedCsvLayout,
    private readonly columns: LinkedColumns<CsvColumn>,
    private readonly findNameProblem: FindNameProblem,
  ) {}

  get header(): CsvHeader {
    if (!this.#header) throw csvFault('the text is empty: it needs a line that names the columns', { line: 1 });
    return this.#header;
  }

  take(record: CsvRecord): void {
    if (!this.#header) {
      this.#begin(record);
      if (this.layout.hasHeader) return;
    }
    if (!this.header.isData(record)) return;
    this.rowCount++;
    for (let index = 0; index < this.#columns.length; index++) this.#columns[index]?.take(record, index, this.rowCount);
  }

  #begin(record: CsvRecord): void {
    this.#header = this.layout.hasHeader
      ? CsvHeader.read(record, { findProblem: this.findNameProblem })
      : CsvHeader.generate(record);
    this.names = this.layout.hasHeader ? this.#header.names : this.#namesByPosition(this.#header, record.line);
    this.#columns = this.names.map((name) => this.columns.find(name));
  }

  /** Without a header, the columns are those that are known, or those of the first file. */
  #namesByPosition({ names }: CsvHeader, line: number): readonly string[] {
    const { expected } = this.columns;
    const known = expected.known.filter(({ name }) => !expected.ignored.has(name.toLowerCase()));
    const given = known.length > 0 ? known.map(({ name }) => name) : this.columns.names;
    if (given.length === 0) return names;
    if (given.length === names.length) return given;
    const columns = given.length === 1 ? 'the table has 1 column' : `the table has ${given.length} columns`;
    throw csvFault(`${names.length === 1 ? '1 value' : `${names.length} values`}, but ${columns}`, { line });
  }
}

/** Passes over a byte order mark, which the engine passes over as well. */
class PastByteOrderMark implements PieceReader {
  hasMark = false;
  #isFirst = true;

  constructor(private readonly scanner: CsvScanner) {}

  take(bytes: Buffer, isLast: boolean): number {
    const skipped = this.#skipped(bytes);
    const used = this.scanner.take(bytes.subarray(skipped), isLast);
    if (used > 0) this.#isFirst = false;
    return used === 0 && !isLast ? 0 : skipped + used;
  }

  refuse(bytes: Buffer, offset: number, problem: string): never {
    const skipped = Math.min(this.#skipped(bytes), offset);
    return this.scanner.refuse(bytes.subarray(skipped), offset - skipped, problem);
  }

  refuseRecord(problem: string): never {
    return this.scanner.refuseRecord(problem);
  }

  #skipped(bytes: Buffer): number {
    this.hasMark ||= this.#isFirst && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    return this.#isFirst && this.hasMark ? BYTE_ORDER_MARK.length : 0;
  }
}
