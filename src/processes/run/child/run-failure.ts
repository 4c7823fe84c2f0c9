import { isDiskFull } from '../../../http/disk-full.error.js';
import type { FailureType, RunFailure } from '../run.js';
import type { ChildTable, RunJob } from '../run-messages.js';
import { changedFilesText, toFullName } from './changed-files.js';
import { RefusedStatementError } from './gate/refused-statement-error.js';
import { ResultTooLargeError } from './result-too-large-error.js';
import { StatementError } from './statement-error.js';
import { toTextOffset } from './text-offset.js';

/**
 * Values can bring any text into a message, which is stored in the catalog and returned with the
 * status.
 */
const MAX_MESSAGE_LENGTH = 4_000;

/**
 * Converts the error that ended a run into words for the author of the statement, without paths of
 * this server.
 *
 * @throws the error itself if it is a bug, which no statement causes.
 */
export function toRunFailure(error: unknown, job: RunJob, tables: readonly ChildTable[] = []): RunFailure {
  const failure = failureOf(error, job, tables);
  return { ...failure, message: shortened(failure.message) };
}

function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  return `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}… (${message.length} characters)`;
}

function failureOf(error: unknown, { sql, folder }: RunJob, tables: readonly ChildTable[]): RunFailure {
  if (error instanceof ResultTooLargeError) return { type: 'FAILED_TYPE_RESULT_TOO_LARGE', message: error.message };
  if (error instanceof RefusedStatementError) {
    return { type: 'FAILED_TYPE_EXECUTION_FAILED', message: error.message, ...placed(sql, error.byteOffset) };
  }
  const engineError = error instanceof StatementError ? error : StatementError.from(error);
  if (isDiskFull(engineError))
    return { type: 'FAILED_TYPE_INTERNAL', message: 'The service has no disk space left for this run' };
  if (engineError.isBug) throw error;
  const text = `${engineError.type} Error: ${engineError.message}`.replaceAll(`${folder}/`, '').replaceAll(folder, '.');
  const message = withoutFiles(text, tables);
  // The offset of an error in a view over files is not one in the statement.
  return { type: typeOf(engineError), message, ...(message === text ? placed(sql, engineError.byteOffset) : {}) };
}

/** Part of the error for the name of a folder that does not fit the type of its column. */
const FOLDER_ERROR = '(from hive partition column ';

/** The error for a link to an open file that leads to another path than before. */
const MOVED_ERROR = /Cannot access (a file of \S+) - file system operations are disabled by configuration/;

/** Replaces files by their tables. The reader of several CSV files does not always report which. */
function withoutFiles(message: string, tables: readonly ChildTable[]): string {
  const csv = tables.filter(({ reading }) => reading?.format === 'csv').map(toFullName);
  let text = message.replaceAll('file ""', () => `a file of ${csv.join(' or ')}`);
  for (const table of tables) {
    for (const file of table.files) {
      if (!text.includes(file)) continue;
      const written = [`"${file}"`, `'${file}'`, file].flatMap((name) => [`file ${name}`, `File ${name}`, name]);
      text = written.reduce((shorter, name) => shorter.replaceAll(name, () => `a file of ${toFullName(table)}`), text);
    }
  }
  if (tables.some(({ reading }) => reading?.format === 'ndjson')) text = withoutLine(text);
  text = text.replace(MOVED_ERROR, '$1 was moved, replaced or deleted while the query read it');
  if (!text.includes(FOLDER_ERROR)) return text;
  return `${text}: ${changedFilesText(tables.filter(({ reading }) => reading?.isHive))}`;
}

/** Removes a wrong line, which can contain more than the columns of the table. */
function withoutLine(message: string): string {
  return message
    .replace(/(: Object )\{.*\} (has duplicate key )/s, '$1$2')
    .replace(/(: Expected OBJECT, but got \w+): .*/s, '$1');
}

function placed(sql: string, byteOffset: number | undefined): Pick<RunFailure, 'offset'> {
  return byteOffset === undefined ? {} : { offset: toTextOffset(sql, byteOffset) };
}

function typeOf({ type, isOutOfMemory, isFileTooLarge }: StatementError): FailureType {
  if (isOutOfMemory) return 'FAILED_TYPE_OUT_OF_MEMORY';
  if (isFileTooLarge) return 'FAILED_TYPE_RESULT_TOO_LARGE';
  return type === 'INTERNAL' || type === 'FATAL' ? 'FAILED_TYPE_INTERNAL' : 'FAILED_TYPE_EXECUTION_FAILED';
}
