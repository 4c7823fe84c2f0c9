import { delimiterName } from '../../csv-delimiter.js';
import type { CsvOptions } from '../../csv-options.js';
import { ContentFault } from '../content-fault.js';
import { readPieces } from '../read-pieces.js';
import type { CsvRecord } from './csv-record.js';
import { type CsvForm, CsvScanner } from './csv-scanner.js';
import { findFileDelimiter } from './find-delimiter.js';

/**
 * Gives the records of a CSV file to `take`, in order, its header first if it has one.
 *
 * @param isName whether a text can be the name of a column, to find the delimiter by.
 * @throws ContentFault, whatever `take` throws
 */
export async function scanCsv(
  path: string,
  { delimiter: given, header: hasHeader = true }: CsvOptions,
  isName: (text: string) => boolean,
  take: (record: CsvRecord) => void,
): Promise<CsvForm> {
  const delimiter = given ?? (await findFileDelimiter(path, isName, hasHeader));
  const scanner = new CsvScanner(take, { delimiter, hasHeader });
  try {
    await readPieces(path, scanner);
  } catch (error) {
    throw given === undefined && delimiter !== ',' ? withDelimiter(error, delimiter) : error;
  }
  return scanner.form;
}

/** Adds to a fault of the syntax which delimiter was found: it may be the reason. */
function withDelimiter(error: unknown, delimiter: string): unknown {
  if (!(error instanceof ContentFault) || error.fault.code !== 'invalid_csv') return error;
  const { message } = error.fault;
  const found = `the delimiter was found to be ${delimiterName(delimiter)}, say it by delimiter= if it is another`;
  return new ContentFault({ ...error.fault, message: `${message} (${found})` });
}
