import { BYTE_ORDER_MARK, SPACE } from '../../ascii.js';
import { openBytes } from '../byte-source.js';
import { ContentError } from '../content-error.js';
import { fill, MAX_RECORD_BYTES } from '../read-blocks.js';
import type { CsvRecord } from './csv-record.js';
import { type CsvLayout, CsvScanner } from './csv-scanner.js';

/** The delimiters that are detected, in order of preference. */
const CANDIDATES = [',', ';', '\t', '|'];
const [DEFAULT] = CANDIDATES as [string];
/** Sizes of the head that is read. A larger one is needed only if the header is longer. */
const HEAD_BYTES = [2 ** 16, 2 ** 20, MAX_RECORD_BYTES];

/** Whether a text can be the name of a column. */
type IsName = (text: string) => boolean;

/** The first records of a CSV text, read with one of the candidates. */
class Reading {
  /** Cells of the first record; 0 if it is incomplete or malformed. */
  cellCount = 0;
  /** The first record is incomplete. */
  isCut = false;
  /** Every record is well-formed and has as many cells as the first. */
  isEven = true;
  /** No bare cell contains a quote, and no cell of the header begins with a space. */
  isClean = true;
  /** Every cell of the header can name a column. */
  isNamed = true;
  #isSplit = false;
  #count = 0;
  #endsEmpty = false;

  constructor(
    readonly delimiter: string,
    private readonly hasHeader: boolean,
    private readonly isName: IsName,
  ) {}

  read(head: Buffer, isWhole: boolean): this {
    const layout: CsvLayout = { delimiter: this.delimiter, hasHeader: this.hasHeader };
    try {
      new CsvScanner((record) => this.#take(record), layout).take(head, isWhole);
      this.isCut = this.#count === 0;
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      this.isEven = false;
      this.#isSplit ||= Number(error.issue.details.position) > 1;
    }
    return this;
  }

  /** Whether the candidate can be the delimiter of a table with several columns. */
  get isLikely(): boolean {
    // The name of a single column can contain a delimiter that no row contains.
    return this.cellCount > 1 && (this.delimiter === DEFAULT || this.#isSplit || this.#count === 1);
  }

  #take(record: CsvRecord): void {
    if (record.hasBareQuotes) this.isClean = false;
    if (this.#count++ === 0) {
      this.cellCount = record.count;
      this.#endsEmpty = record.count > 1 && record.isNull(record.count - 1);
      if (this.hasHeader) this.#checkNames(record);
    } else if (!record.isBlank) {
      const isShorter = this.#endsEmpty && record.count === this.cellCount - 1;
      if (record.count !== this.cellCount && !isShorter) this.isEven = false;
      if (record.count > 1) this.#isSplit = true;
    }
  }

  #checkNames(record: CsvRecord): void {
    const names = record.texts();
    if (this.#endsEmpty) names.pop();
    if (names.some((name) => name.charCodeAt(0) === SPACE)) this.isClean = false;
    if (!names.every(this.isName)) this.isNamed = false;
  }
}

/**
 * Detects the delimiter of a CSV text from its header and its first rows: every row must have as
 * many cells as the header, and more than one. Among several such candidates, it prefers cells
 * without stray quotes and spaces, then valid column names, then more columns. If no candidate
 * divides the header, the delimiter is a comma.
 *
 * @param head the beginning of the text.
 * @param isWhole whether `head` is the whole text.
 * @returns nothing if a longer head is needed.
 */
export function findDelimiter(head: Buffer, isWhole: boolean, isName: IsName, hasHeader = true): string | undefined {
  const start = head.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const text = head.subarray(start);
  const readings = CANDIDATES.map((delimiter) => new Reading(delimiter, hasHeader, isName).read(text, isWhole));
  const [best] = readings.filter((reading) => reading.isLikely).toSorted(compare);
  if (best) return best.delimiter;
  return isWhole || !readings.some(({ isCut }) => isCut) ? DEFAULT : undefined;
}

/** Sorts the better reading first. */
function compare(a: Reading, b: Reading): number {
  const rank = ({ isEven, isClean, isNamed, cellCount }: Reading) => [+isEven, +isClean, +isNamed, cellCount];
  const ranks = rank(a);
  const others = rank(b);
  const index = ranks.findIndex((value, at) => value !== others[at]);
  return index < 0 ? 0 : (others[index] as number) - (ranks[index] as number);
}

/** Detects the delimiter of a CSV file, see {@link findDelimiter}. */
export async function findFileDelimiter(path: string, isName: IsName, hasHeader = true): Promise<string> {
  const file = await openBytes(path);
  try {
    let head: Buffer = Buffer.alloc(0);
    for (const length of HEAD_BYTES) {
      const buffer = Buffer.allocUnsafe(length);
      head.copy(buffer);
      head = buffer.subarray(0, head.length + (await fill(file, buffer, head.length)));
      const found = findDelimiter(head, head.length < length, isName, hasHeader);
      if (found) return found;
    }
    return DEFAULT;
  } finally {
    await file.close();
  }
}
