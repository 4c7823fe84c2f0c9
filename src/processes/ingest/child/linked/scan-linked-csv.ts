import type { LinkedCsvLayout, TextScan } from '../../../../storage/linked/linked-text.js';
import { csvError } from '../csv/csv-error.js';
import type { CsvHeader } from '../csv/csv-header.js';
import type { CsvRecord } from '../csv/csv-record.js';
import { CsvRows } from '../csv/csv-rows.js';
import { CsvScanner } from '../csv/csv-scanner.js';
import { readBlocks } from '../read-blocks.js';
import type { CsvColumn } from './csv-column.js';
import type { LinkedColumns } from './linked-columns.js';

/** What a scan of one file found. */
export interface ScannedText {
  readonly scan: TextScan;
  readonly rowCount: number;
}

type FindNameIssue = (name: string) => string | undefined;

/**
 * Reads a linked CSV file by the rules of uploads and gives its values to the columns.
 *
 * @param findNameIssue why a name in the header cannot be used.
 * @throws ContentError
 */
export async function scanLinkedCsv(
  path: string,
  layout: LinkedCsvLayout,
  columns: LinkedColumns<CsvColumn>,
  findNameIssue: FindNameIssue = () => undefined,
): Promise<ScannedText> {
  const rows = new LinkedRows(layout, columns, findNameIssue);
  const scanner = new CsvScanner((record) => rows.take(record), layout);
  await readBlocks(path, scanner);
  const { hasQuotedNewline, hasByteOrderMark, longestRecordBytes } = scanner.dialect;
  const { hasTrailingDelimiter } = rows.header;
  // The engine skips the mark, except before values.
  const isUnusual = scanner.dialect.isUnusual || (hasByteOrderMark && !layout.hasHeader);
  const csv = { names: rows.names, hasTrailingDelimiter, hasQuotedNewline, isUnusual };
  return { scan: { longestRecordBytes, csv }, rowCount: rows.rowCount };
}

/** Gives the records of a text to columns. */
class LinkedRows extends CsvRows {
  names: readonly string[] = [];
  #columns: readonly (CsvColumn | undefined)[] = [];

  constructor(
    private readonly layout: LinkedCsvLayout,
    private readonly columns: LinkedColumns<CsvColumn>,
    findIssue: FindNameIssue,
  ) {
    super(layout.hasHeader, { findIssue });
  }

  protected override begin(header: CsvHeader, line: number): void {
    this.names = this.layout.hasHeader ? header.names : this.#namesByPosition(header, line);
    this.#columns = this.names.map((name) => this.columns.find(name));
  }

  protected takeRow(record: CsvRecord): void {
    for (let index = 0; index < this.#columns.length; index++) this.#columns[index]?.take(record, index, this.rowCount);
  }

  /** Without a header, the columns are those that are known, or those of the first file. */
  #namesByPosition({ names }: CsvHeader, line: number): readonly string[] {
    const { expected } = this.columns;
    const known = expected.known.filter(({ name }) => !expected.ignored.has(name.toLowerCase()));
    const given = known.length > 0 ? known.map(({ name }) => name) : this.columns.names;
    if (given.length === 0) return names;
    if (given.length === names.length) return given;
    const columns = given.length === 1 ? 'the table has 1 column' : `the table has ${given.length} columns`;
    throw csvError(`${names.length === 1 ? '1 value' : `${names.length} values`}, but ${columns}`, { line });
  }
}
