import { BYTE_ORDER_MARK, CLOSING_BRACE, COLON, COMMA, LINE_FEED, OPENING_BRACE, QUOTE } from '../../ascii.js';
import { beginningOf } from '../content-fault.js';
import { JsonLineScanner } from '../ndjson/json-line-scanner.js';
import { countNewlines, type PieceReader, readPieces } from '../read-pieces.js';
import { JsonColumn } from './json-column.js';
import { type LinkedColumns, MAX_COLUMNS } from './linked-columns.js';
import type { ScannedText } from './scan-linked-csv.js';

/** The engine misreads a last line without a line feed where lines are much longer than this. */
const MAX_BYTES_OF_UNENDED_FILES = 2 ** 20;

/**
 * Reads a linked NDJSON file, one object a line, and gives its values to the columns.
 *
 * @throws ContentFault, FileFault
 */
export async function scanLinkedNdjson(path: string, columns: LinkedColumns<JsonColumn>): Promise<ScannedText> {
  const reader = new LinkedLines(columns);
  await readPieces(path, reader);
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
class LinkedLines implements PieceReader {
  rowCount = 0;
  longestLineBytes = 0;
  readonly #json = new JsonLineScanner();
  readonly #keys = new Map<string, Key>();
  /** The keys of a line in their order: most lines have the same. */
  readonly #usual: KnownKey[] = [];
  /** Takes the values of keys that are no columns: they have to be well-formed, too. */
  readonly #ignored: JsonColumn;

  constructor(private readonly columns: LinkedColumns<JsonColumn>) {
    this.#ignored = new JsonColumn('', columns);
  }

  take(bytes: Buffer, isLast: boolean): number {
    const json = this.#json;
    if (json.line === 1 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK))
      this.refuse(bytes, 0, 'a byte order mark, which NDJSON must not have');
    json.bytes = bytes;
    json.at = 0;
    json.end = isLast ? bytes.length : bytes.lastIndexOf(LINE_FEED) + 1;
    while (json.at < json.end) this.#takeLine();
    if (isLast && bytes.length > 0 && bytes[bytes.length - 1] !== LINE_FEED) this.#checkUnended();
    return json.end;
  }

  refuse(bytes: Buffer, offset: number, problem: string): never {
    this.#json.line += countNewlines(bytes, offset);
    throw this.#json.fault(problem);
  }

  #checkUnended(): void {
    if (this.longestLineBytes <= MAX_BYTES_OF_UNENDED_FILES) return;
    this.#json.line--;
    throw this.#json.fault('a file with lines of more than 1 MB must end with a line feed');
  }

  #takeLine(): void {
    const json = this.#json;
    const start = json.at;
    if (json.peek() !== LINE_FEED) this.#takeRow();
    if (json.peek() !== LINE_FEED) throw json.fault('one object a line, and nothing after it');
    json.at++;
    json.line++;
    this.longestLineBytes = Math.max(this.longestLineBytes, json.at - start);
  }

  #takeRow(): void {
    const json = this.#json;
    this.rowCount++;
    json.expect(OPENING_BRACE, 'an object in braces');
    if (json.skip(CLOSING_BRACE)) return;
    let next = 0;
    do {
      const key = this.#takeKey(next++);
      json.expect(COLON, 'a colon');
      (key.column ?? this.#ignored).take(json, this.rowCount);
    } while (json.skip(COMMA));
    json.expect(CLOSING_BRACE, 'a comma or a closing brace');
  }

  #takeKey(position: number): Key {
    const json = this.#json;
    if (json.peek() !== QUOTE) json.expect(QUOTE, 'a key in quotes');
    json.takeString();
    const key = this.#usualKey(position) ?? this.#findKey(position);
    if (key.seenInRow === this.rowCount) throw json.fault(`the key '${beginningOf(json.string())}' stands there twice`);
    key.seenInRow = this.rowCount;
    return key;
  }

  #usualKey(position: number): Key | undefined {
    const known = this.#usual[position];
    const { bytes, tokenStart, tokenEnd } = this.#json;
    if (!known || known.bytes.length !== tokenEnd - tokenStart) return undefined;
    // Quicker than a call for the few bytes of a key.
    for (let at = 0; at < known.bytes.length; at++) if (known.bytes[at] !== bytes[tokenStart + at]) return undefined;
    return known.key;
  }

  #findKey(position: number): Key {
    const json = this.#json;
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
    const json = this.#json;
    if (name === '') throw json.fault('a key has no name');
    const column = this.columns.find(name);
    const known = this.columns.findName(name);
    if (column && known !== name)
      throw json.fault(`the keys '${beginningOf(known ?? '')}' and '${beginningOf(name)}' differ in case alone`);
    if (this.columns.names.length > MAX_COLUMNS) throw json.fault(`a table has at most ${MAX_COLUMNS} columns`);
    return column;
  }
}
