import type { Connection } from '../../../duckdb/connection/connection.js';
import type { LinkedFiles } from '../../../storage/linked/linked-files.js';
import type { LinkOptions } from '../../../storage/linked/linked-text.js';
import type { IngestOutcome } from '../ingest-messages.js';
import { type ContentError, unreadableFiles } from './content-error.js';
import { describeParquet } from './describe-parquet.js';
import { describeText } from './describe-text.js';
import { LinkedFileError } from './linked/linked-file-error.js';

/**
 * Finds the columns of linked files, counts their rows, and finds how text files are read. All
 * values are read.
 *
 * @throws ContentError if they cannot be read, with the name of the file.
 */
export async function describeFiles(
  connection: Connection,
  files: LinkedFiles,
  options: LinkOptions,
): Promise<IngestOutcome> {
  try {
    return await (files.format === 'parquet' ? describeParquet : describeText)(connection, files, options);
  } catch (error) {
    throw error instanceof LinkedFileError ? toContentError(error) : error;
  }
}

function toContentError({ message, relativePath, details }: LinkedFileError): ContentError {
  return unreadableFiles(message, { ...details, file: relativePath });
}
