import { csvError } from './csv-error.js';
import { CsvHeader, type HeaderRules } from './csv-header.js';
import type { CsvRecord } from './csv-record.js';

/** The rows of a CSV text, from its records in their order. */
export abstract class CsvRows {
  rowCount = 0;
  #header: CsvHeader | undefined;

  constructor(
    private readonly hasHeader: boolean,
    private readonly rules: HeaderRules,
  ) {}

  /** @throws ContentError if there was no record. */
  get header(): CsvHeader {
    if (!this.#header) throw csvError('the text is empty: it needs a line that names the columns', { line: 1 });
    return this.#header;
  }

  /** Takes the next record. @throws ContentError */
  take(record: CsvRecord): void {
    if (!this.#header) {
      this.#header = this.hasHeader ? CsvHeader.read(record, this.rules) : CsvHeader.generate(record);
      this.begin(this.#header, record.line);
      if (this.hasHeader) return;
    }
    if (!this.#header.isData(record)) return;
    this.rowCount++;
    this.takeRow(record, this.#header);
  }

  /** Called before the first row. */
  protected begin(_header: CsvHeader, _line: number): void {}

  protected abstract takeRow(record: CsvRecord, header: CsvHeader): void;
}
