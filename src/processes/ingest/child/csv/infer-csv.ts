import type { TableColumn } from '../../../../types/table-column.js';
import { findColumnNameIssue } from '../../column-name.js';
import type { CsvOptions } from '../../csv-options.js';
import type { IngestOutcome, JobOf } from '../../ingest-messages.js';
import type { IngestEngine } from '../open-engine.js';
import { TypeInference } from '../values/infer-type.js';
import type { CsvHeader } from './csv-header.js';
import type { CsvRecord } from './csv-record.js';
import { CsvRows } from './csv-rows.js';
import { scanCsv } from './scan-csv.js';
import { writeCsvPart } from './write-csv-part.js';

/**
 * Makes a part of a CSV text whose columns are those of its header, with types found from all
 * values.
 *
 * @throws ContentError
 */
export async function inferCsv(
  engine: IngestEngine,
  { source, target, options }: JobOf<'infer-csv'>,
): Promise<IngestOutcome> {
  const table = new InferredTable(options);
  const isName = (text: string) => findColumnNameIssue(text) === undefined;
  const dialect = await scanCsv(source, options, isName, (record) => table.take(record));
  const columns = table.columns();
  const { header, rowCount, hasNegativeZero } = table;
  const csv = { path: source, dialect, header, rowCount, columns, hasNegativeZero };
  return writeCsvPart(engine, csv, target, columns, ({ name }) => name);
}

/** The columns of a CSV text, found from all its records. */
class InferredTable extends CsvRows {
  readonly #types: TypeInference[] = [];

  constructor({ header = true, columnNames }: CsvOptions) {
    super(header, { findIssue: findColumnNameIssue, columnNames });
  }

  protected takeRow(record: CsvRecord, { names }: CsvHeader): void {
    // A column that is named late had no values so far; NULLs do not affect its type.
    while (this.#types.length < names.length) this.#types.push(new TypeInference());
    const { bytes, starts, ends } = record;
    const count = Math.min(this.#types.length, record.count);
    for (let index = 0; index < count; index++) {
      const type = this.#types[index] as TypeInference;
      if (!type.isText && !record.isNull(index)) type.add(bytes, starts[index] as number, ends[index] as number);
    }
  }

  /** Whether a number is -0. */
  get hasNegativeZero(): boolean {
    return this.#types.some((type) => type.hasNegativeZero);
  }

  /** Names and types. @throws ContentError if there was no record. */
  columns(): TableColumn[] {
    return this.header.names.map((name, index) => {
      const type = this.#types[index] ?? new TypeInference();
      return { name, type: type.type(), nullable: true };
    });
  }
}
