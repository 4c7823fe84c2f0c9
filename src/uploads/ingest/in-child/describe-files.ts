import type { Connection } from '../../../duckdb/engine/engine.js';
import { EngineError } from '../../../duckdb/engine/engine-error.js';
import { sql } from '../../../duckdb/sql.js';
import type { LinkedFiles } from '../../linked-files.js';
import type { IngestOutcome } from '../ingest-messages.js';
import { linkedFilesToSql } from '../linked-files-to-sql.js';
import { ContentFault } from './content-fault.js';

/**
 * Finds the columns of linked files and counts their rows.
 *
 * @throws ContentFault if the engine cannot read them.
 */
export async function describeFiles(connection: Connection, files: LinkedFiles): Promise<IngestOutcome> {
  const source = linkedFilesToSql(files);
  try {
    const columns = await connection.describe(sql`SELECT * FROM ${source} LIMIT 0`);
    const [[count] = []] = await connection.rows(sql`SELECT count(*) FROM ${source}`);
    return { columns: columns.map(({ name, type }) => ({ name, type, nullable: true })), rowCount: Number(count) };
  } catch (error) {
    const { message } = EngineError.from(error);
    throw new ContentFault({ code: 'unreadable_files', message: `The files cannot be read: ${message}`, details: {} });
  }
}
