import type { LogicalType } from '../../../duckdb/column.js';
import type { Connection, ResultColumn } from '../../../duckdb/engine/engine.js';
import { EngineError } from '../../../duckdb/engine/engine-error.js';
import { join, sql } from '../../../duckdb/sql.js';
import type { LinkedFiles } from '../../linked-files.js';
import type { TableColumn } from '../../table-column.js';
import type { IngestOutcome } from '../ingest-messages.js';
import { filePathSql, linkedFilesToSql } from '../linked-files-to-sql.js';
import { ContentFault } from './content-fault.js';
import { describeCsv } from './describe-csv.js';

/** What the engine calls a key of NDJSON that has no name. */
const ENGINE_NAME = /^C\d+$/;

/**
 * Finds the columns of linked files, counts their rows, and finds how CSV is written.
 *
 * @throws ContentFault if the engine cannot read them, or not by the names of their columns.
 */
export async function describeFiles(connection: Connection, files: LinkedFiles): Promise<IngestOutcome> {
  try {
    if (files.format === 'csv') {
      const { columns, ...rest } = await describeCsv(connection, files);
      return { columns: columns.map(toTableColumn), ...rest };
    }
    const source = linkedFilesToSql(files);
    const columns = await connection.describe(sql`SELECT * FROM ${source} LIMIT 0`);
    const problem = await findNameProblem(connection, files, columns);
    if (problem) throw new Error(problem);
    const [[count] = []] = await connection.rows(sql`SELECT count(*) FROM ${source}`);
    return { columns: columns.map(toTableColumn), rowCount: Number(count) };
  } catch (error) {
    const { message } = EngineError.from(error);
    throw new ContentFault({ code: 'unreadable_files', message: `The files cannot be read: ${message}`, details: {} });
  }
}

function toTableColumn({ name, type }: ResultColumn): TableColumn {
  return { name, type, nullable: true };
}

/** Names that the engine finds in files, but would not find again when it reads by them. */
async function findNameProblem(
  connection: Connection,
  files: LinkedFiles,
  columns: readonly ResultColumn[],
): Promise<string | undefined> {
  const named = sql`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${linkedFilesToSql(files)})`;
  const names = (await connection.rows(named)).flat();
  if (names.some((name) => typeof name === 'string' && name.includes('\0')))
    return 'the name of a column holds the character NUL';
  if (files.format !== 'ndjson') return undefined;
  const isNameless = columns.some(({ type }) => hasNamelessField(type));
  return isNameless || (await hasNamelessKey(connection, files, columns)) ? 'a key has no name' : undefined;
}

async function hasNamelessKey(
  connection: Connection,
  { files }: LinkedFiles,
  columns: readonly ResultColumn[],
): Promise<boolean> {
  if (!columns.some(({ name }) => ENGINE_NAME.test(name))) return false;
  const paths = files.map(({ path }) => filePathSql(path));
  const nameless = sql`
    SELECT 1 FROM read_ndjson_objects([${join(paths, ', ')}]) WHERE list_contains(json_keys(json), '') LIMIT 1`;
  return (await connection.rows(nameless)).length > 0;
}

function hasNamelessField(type: LogicalType): boolean {
  switch (type.kind) {
    case 'struct':
      return type.fields.some((field) => field.name === '' || hasNamelessField(field.type));
    case 'list':
      return hasNamelessField(type.element);
    case 'map':
      return hasNamelessField(type.value);
    default:
      return false;
  }
}
