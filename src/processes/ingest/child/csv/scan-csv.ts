import { delimiterName } from '../../csv-delimiter.js';
import type { CsvOptions } from '../../csv-options.js';
import { ContentFault } from '../content-fault.js';
import { readPieces } from '../read-pieces.js';
import type { CsvRecord } from './csv-record.js';
import { type CsvForm, CsvScanner } from './csv-scanner.js';
import { findFileDelimiter } from './find-delimiter.js';

/**
 * Passes the records of a CSV file to `take`, in order. If the file has a header, it is the first.
 *
 * @param isName whether a text can be the name of a column; used to detect the delimiter.
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

/** Adds the detected delimiter to a syntax error, as a wrong one can be the cause. */
function withDelimiter(error: unknown, delimiter: string): unknown {
  if (!(error instanceof ContentFault) || error.fault.code !== 'invalid_csv') return error;
  const { message } = error.fault;
  const found = `read with the detected delimiter ${delimiterName(delimiter)}; delimiter= sets another`;
  return new ContentFault({ ...error.fault, message: `${message} (${found})` });
}
