import type { TableColumn } from '../../../../types/table-column.js';
import { findColumnNameProblem } from '../../column-name.js';
import type { CsvOptions } from '../../csv-options.js';
import { TypeInference } from '../values/infer-type.js';
import { csvFault } from './csv-fault.js';
import { CsvHeader } from './csv-header.js';
import type { CsvRecord } from './csv-record.js';

/** The columns of a CSV text, found from all its records (`scanCsv`). */
export class InferredTable {
  rowCount = 0;
  #header: CsvHeader | undefined;
  #types: TypeInference[] = [];

  constructor(private readonly options: CsvOptions) {}

  /**
   * Takes the next record.
   *
   * @throws ContentFault
   */
  take(record: CsvRecord): void {
    if (!this.#header) {
      this.#header = this.#readHeader(record);
      if (this.options.header !== false) return;
    }
    if (!this.#header.isData(record)) return;
    this.rowCount++;
    // A column that is named late had no values so far; NULLs do not affect its type.
    while (this.#types.length < this.#header.names.length) this.#types.push(new TypeInference());
    const { bytes, starts, ends } = record;
    const count = Math.min(this.#types.length, record.count);
    for (let index = 0; index < count; index++) {
      const type = this.#types[index] as TypeInference;
      if (!type.isText && !record.isNull(index)) type.add(bytes, starts[index] as number, ends[index] as number);
    }
  }

  #readHeader(record: CsvRecord): CsvHeader {
    const { header = true, columnNames } = this.options;
    return header
      ? CsvHeader.read(record, { findProblem: findColumnNameProblem, columnNames })
      : CsvHeader.generate(record);
  }

  /** @throws ContentFault if there was no record. */
  get header(): CsvHeader {
    if (!this.#header) throw csvFault('the text is empty: it needs a line that names the columns', { line: 1 });
    return this.#header;
  }

  /** Names and types. @throws ContentFault if there was no record. */
  columns(): TableColumn[] {
    return this.header.names.map((name, index) => {
      const type = this.#types[index] ?? new TypeInference();
      return { name, type: type.type(), nullable: true };
    });
  }
}
