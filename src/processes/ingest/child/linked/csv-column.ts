import type { LinkedColumnType } from '../../../../storage/linked/linked-text.js';
import type { LogicalType } from '../../../../types/column.js';
import type { CsvRecord } from '../csv/csv-record.js';
import { valueError } from '../row-errors.js';
import { TypeInference } from '../values/infer-type.js';
import type { ValueRule } from '../values/value-rule.js';
import type { ColumnScan } from './linked-columns.js';

/** Takes the values of a CSV column: to find their type, or to check them against it. */
export class CsvColumn implements ColumnScan {
  readonly #inference = new TypeInference();

  /** @param known its type, with the rule that its values must follow. */
  constructor(
    private readonly name: string,
    private readonly known?: { readonly column: LinkedColumnType; readonly rule: ValueRule },
  ) {}

  /** Takes a value of a record. @throws ContentError */
  take(record: CsvRecord, index: number, row: number): void {
    if (record.isNull(index)) return;
    const start = record.starts[index] as number;
    const end = record.ends[index] as number;
    if (!this.known) {
      if (!this.#inference.isText) this.#inference.add(record.bytes, start, end);
    } else if (!this.known.rule.accepts(record.bytes, start, end)) {
      throw valueError(this.name, this.known.rule.expected, record.excerpt(index), { line: record.line, row });
    }
  }

  type(): LogicalType {
    return this.known?.column.type ?? this.#inference.type();
  }
}
