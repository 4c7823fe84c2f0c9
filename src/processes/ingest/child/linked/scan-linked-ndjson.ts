import { COLON } from '../../ascii.js';
import { beginningOf } from '../content-error.js';
import { MAX_COLUMNS } from '../csv/csv-record.js';
import { NdjsonLines } from '../ndjson/ndjson-lines.js';
import { readBlocks } from '../read-blocks.js';
import { JsonColumn } from './json-column.js';
import type { LinkedColumns } from './linked-columns.js';
import type { ScannedText } from './scan-linked-csv.js';

/** The engine misreads a last line without a line feed where lines are much longer than this. */
const MAX_BYTES_OF_UNENDED_FILES = 2 ** 20;

/**
 * Reads a linked NDJSON file, one object a line, and gives its values to the columns.
 *
 * @throws ContentError, LinkedFileError
 */
export async function scanLinkedNdjson(path: string, columns: LinkedColumns<JsonColumn>): Promise<ScannedText> {
  const reader = new LinkedLines(columns);
  await readBlocks(path, reader);
  return { scan: { longestRecordBytes: reader.longestLineBytes }, rowCount: reader.rowCount };
}

/** A key of a line, as it is written without escapes. */
interface KnownKey {
  readonly bytes: Buffer;
  readonly key: Key;
}

interface Key {
  readonly column: JsonColumn | undefined;
  /** The row that last had it. */
  seenInRow: number;
}

/** Gives the values of lines to columns. */
class LinkedLines extends NdjsonLines {
  readonly #keys = new Map<string, Key>();
  /** The keys of a line in their order: most lines have the same. */
  readonly #usual: KnownKey[] = [];
  /** Takes the values of keys that are no columns: they have to be well-formed, too. */
  readonly #ignored: JsonColumn;

  constructor(private readonly columns: LinkedColumns<JsonColumn>) {
    super();
    this.#ignored = new JsonColumn('', columns);
  }

  override take(bytes: Buffer, isLast: boolean): number {
    const used = super.take(bytes, isLast);
    if (this.isEnded || this.longestLineBytes <= MAX_BYTES_OF_UNENDED_FILES) return used;
    this.json.line--;
    throw this.json.error('a file with lines of more than 1 MB must end with a line feed');
  }

  protected takeEntry(position: number): void {
    const { json } = this;
    json.takeKey();
    const usual = this.#usual[position];
    const key = usual && json.isToken(usual.bytes) ? usual.key : this.#findKey(position);
    if (key.seenInRow === this.rowCount) throw json.error(`the key '${beginningOf(json.string())}' stands there twice`);
    key.seenInRow = this.rowCount;
    json.expect(COLON, 'a colon');
    (key.column ?? this.#ignored).take(json, this.rowCount);
  }

  #findKey(position: number): Key {
    const { json } = this;
    const name = json.string();
    let key = this.#keys.get(name);
    if (!key) {
      const column = this.#findColumn(name);
      if (!column) return { column, seenInRow: 0 };
      key = { column, seenInRow: 0 };
      this.#keys.set(name, key);
    }
    if (!json.hasEscapes && position <= this.#usual.length && position < MAX_COLUMNS)
      this.#usual[position] = { bytes: Buffer.from(name), key };
    return key;
  }

  #findColumn(name: string): JsonColumn | undefined {
    const { json } = this;
    if (name === '') throw json.error('a key has no name');
    const column = this.columns.find(name);
    const known = this.columns.findName(name);
    if (column && known !== name)
      throw json.error(`the keys '${beginningOf(known ?? '')}' and '${beginningOf(name)}' differ in case alone`);
    if (this.columns.names.length > MAX_COLUMNS) throw json.error(`a table has at most ${MAX_COLUMNS} columns`);
    return column;
  }
}
