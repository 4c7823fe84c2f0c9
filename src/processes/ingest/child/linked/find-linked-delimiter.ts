import type { LinkedFile } from '../../../../storage/linked/linked-files.js';
import { delimiterName } from '../../csv-delimiter.js';
import { openBytes } from '../byte-source.js';
import { ContentFault } from '../content-fault.js';
import { CsvScanner } from '../csv/csv-scanner.js';
import { findFileDelimiter } from '../csv/find-delimiter.js';
import { fill } from '../read-pieces.js';
import { FileFault } from './file-fault.js';

const COMMA = ',';
const HEAD_BYTES = 2 ** 16;

/**
 * Finds the delimiter of CSV files, which must be the same in all of them. A file of one column does not show any.
 *
 * @throws FileFault
 */
export async function findLinkedDelimiter(
  files: readonly LinkedFile[],
  hasHeader: boolean,
  isName: (text: string) => boolean,
): Promise<string> {
  let shown: { readonly delimiter: string; readonly place: string } | undefined;
  for (const { path, place } of files) {
    const delimiter = await findFileDelimiter(path, isName, hasHeader).catch((error: unknown) => {
      throw FileFault.from(error, place);
    });
    if (delimiter === COMMA && !(await isSplit(path))) continue;
    if (shown && shown.delimiter !== delimiter) {
      const others = `${delimiterName(shown.delimiter)}, as in ${shown.place}`;
      const problem = `its delimiter is ${delimiterName(delimiter)}, not ${others}: link files of one delimiter together`;
      throw new FileFault(place, problem);
    }
    shown ??= { delimiter, place };
  }
  return shown?.delimiter ?? COMMA;
}

/** Whether commas separate the first line of a file into several cells. */
async function isSplit(path: string): Promise<boolean> {
  const file = await openBytes(path);
  try {
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    const count = await fill(file, head, 0);
    return countCells(head.subarray(0, count), count < HEAD_BYTES) > 1;
  } finally {
    await file.close();
  }
}

function countCells(head: Buffer, isWhole: boolean): number {
  let cells: number | undefined;
  try {
    new CsvScanner((record) => {
      cells ??= record.count;
    }).take(head, isWhole);
  } catch (error) {
    if (!(error instanceof ContentFault)) throw error;
  }
  // A first line of more than the head has many columns.
  return cells ?? (isWhole ? 0 : Number.POSITIVE_INFINITY);
}
