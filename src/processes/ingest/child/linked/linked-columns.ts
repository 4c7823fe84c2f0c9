import type { LinkedColumnType } from '../../../../storage/linked/linked-text.js';
import type { TableColumn } from '../../../../types/table-column.js';

/** What takes the values of one column, from all files. */
export interface ColumnScan {
  /** The type that holds all values so far. @throws LinkedFileError if there is none */
  type(): TableColumn['type'];
}

/** Which columns linked text files are expected to have. */
export interface ExpectedColumns {
  /** Those whose types are known. */
  readonly known: readonly LinkedColumnType[];
  /** Whether the files have no others that count: they make up a table that is linked already. */
  readonly isClosed: boolean;
  /** Names that are left out, in lower case: those of columns in the names of folders. */
  readonly ignored: ReadonlySet<string>;
}

/** The columns of linked text files, by name without regard to case. */
export class LinkedColumns<C extends ColumnScan> {
  /** The file that is being scanned, as messages name it. */
  file = '';
  readonly #found = new Map<string, { readonly name: string; readonly scan: C }>();
  readonly #known: ReadonlyMap<string, LinkedColumnType>;

  /** @param create makes the scan of a column whose type is known, or not. */
  constructor(
    readonly expected: ExpectedColumns,
    private readonly create: (name: string, known: LinkedColumnType | undefined) => C,
  ) {
    this.#known = new Map(expected.known.map((column) => [column.name.toLowerCase(), column]));
  }

  /** The names of the columns that were found, as they were first written. */
  get names(): string[] {
    return [...this.#found.values()].map(({ name }) => name);
  }

  /** Known columns that no file has. */
  get missing(): LinkedColumnType[] {
    return [...this.#known].flatMap(([folded, column]) => (this.#found.has(folded) ? [] : [column]));
  }

  /** The name under which a column was found, if it was. */
  findName(name: string): string | undefined {
    return this.#found.get(name.toLowerCase())?.name;
  }

  /** The scan of a column; nothing if its values do not count. */
  find(name: string): C | undefined {
    const folded = name.toLowerCase();
    const found = this.#found.get(folded);
    if (found) return found.scan;
    const known = this.#known.get(folded);
    if (this.expected.ignored.has(folded) || (!known && this.expected.isClosed)) return undefined;
    const scan = this.create(known?.name ?? name, known);
    this.#found.set(folded, { name: known?.name ?? name, scan });
    return scan;
  }

  /** The columns that were found, in the order in which they were. */
  columns(): TableColumn[] {
    return [...this.#found].map(([folded, { name, scan }]) => {
      const wideInteger = this.#known.get(folded)?.wideInteger;
      return { name, type: scan.type(), nullable: true, ...(wideInteger && { wideInteger }) };
    });
  }
}
