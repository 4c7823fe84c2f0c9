import { delimiterName } from '../../csv-delimiter.js';
import type { CsvOptions } from '../../csv-options.js';
import { ContentError } from '../content-error.js';
import { readBlocks } from '../read-blocks.js';
import type { CsvRecord } from './csv-record.js';
import { type CsvDialect, CsvScanner } from './csv-scanner.js';
import { findFileDelimiter } from './find-delimiter.js';

/**
 * Passes the records of a CSV file to `take`, in order. If the file has a header, it is the first.
 *
 * @param isName whether a text can be the name of a column; used to detect the delimiter.
 * @throws ContentError, whatever `take` throws
 */
export async function scanCsv(
  path: string,
  { delimiter: given, header: hasHeader = true }: CsvOptions,
  isName: (text: string) => boolean,
  take: (record: CsvRecord) => void,
): Promise<CsvDialect> {
  const delimiter = given ?? (await findFileDelimiter(path, isName, hasHeader));
  const scanner = new CsvScanner(take, { delimiter, hasHeader });
  try {
    await readBlocks(path, scanner);
  } catch (error) {
    throw given === undefined && delimiter !== ',' ? withDelimiter(error, delimiter) : error;
  }
  return scanner.dialect;
}

/** Adds the detected delimiter to a syntax error, as a wrong one can be the cause. */
function withDelimiter(error: unknown, delimiter: string): unknown {
  if (!(error instanceof ContentError) || error.issue.code !== 'invalid_csv') return error;
  const { message } = error.issue;
  const found = `read with the detected delimiter ${delimiterName(delimiter)}; delimiter= sets another`;
  return new ContentError({ ...error.issue, message: `${message} (${found})` });
}
