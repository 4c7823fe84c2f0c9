import type { Connection } from '../../../duckdb/connection/connection.js';
import type { LinkedFiles } from '../../../storage/linked/linked-files.js';
import type { LinkOptions } from '../../../storage/linked/linked-text.js';
import type { IngestOutcome } from '../ingest-messages.js';
import type { ContentFault } from './content-fault.js';
import { describeParquet } from './describe-parquet.js';
import { describeText } from './describe-text.js';
import { FileFault } from './linked/file-fault.js';
import { unreadable } from './linked/unreadable.js';

/**
 * Finds the columns of linked files, counts their rows, and finds how text files are read. All values are read.
 *
 * @throws ContentFault if they cannot be read, with the name of the file.
 */
export async function describeFiles(
  connection: Connection,
  files: LinkedFiles,
  options: LinkOptions,
): Promise<IngestOutcome> {
  try {
    return await (files.format === 'parquet' ? describeParquet : describeText)(connection, files, options);
  } catch (error) {
    throw error instanceof FileFault ? toContentFault(error) : error;
  }
}

function toContentFault({ message, place, details }: FileFault): ContentFault {
  return unreadable(message, { ...details, file: place });
}
