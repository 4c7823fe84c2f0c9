import type { LinkedFile } from '../../../../storage/linked/linked-files.js';
import { delimiterName } from '../../csv-delimiter.js';
import { openBytes } from '../byte-source.js';
import { ContentError } from '../content-error.js';
import { CsvScanner } from '../csv/csv-scanner.js';
import { findFileDelimiter } from '../csv/find-delimiter.js';
import { fill } from '../read-blocks.js';
import { LinkedFileError } from './linked-file-error.js';

const COMMA = ',';
const HEAD_BYTES = 2 ** 16;

/**
 * Finds the delimiter of CSV files, which must be the same in all of them. A file of one column
 * does not show any.
 *
 * @throws LinkedFileError
 */
export async function findLinkedDelimiter(
  files: readonly LinkedFile[],
  hasHeader: boolean,
  isName: (text: string) => boolean,
): Promise<string> {
  let shown: { readonly delimiter: string; readonly relativePath: string } | undefined;
  for (const { path, relativePath } of files) {
    const delimiter = await findFileDelimiter(path, isName, hasHeader).catch((error: unknown) => {
      throw LinkedFileError.from(error, relativePath);
    });
    if (delimiter === COMMA && !(await isSplit(path))) continue;
    if (shown && shown.delimiter !== delimiter) {
      const others = `${delimiterName(shown.delimiter)}, as in ${shown.relativePath}`;
      const issue = `its delimiter is ${delimiterName(delimiter)}, not ${others}: link files of one delimiter together`;
      throw new LinkedFileError(relativePath, issue);
    }
    shown ??= { delimiter, relativePath };
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
    if (!(error instanceof ContentError)) throw error;
  }
  // A first line of more than the head has many columns.
  return cells ?? (isWhole ? 0 : Number.POSITIVE_INFINITY);
}
