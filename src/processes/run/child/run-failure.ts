import { isDiskFull } from '../../../http/disk-full.error.js';
import type { FailureType, RunFailure } from '../run.js';
import type { LinkedTable, RunOrder } from '../run-messages.js';
import { changedFilesText, toFullName } from './changed-files.js';
import { EngineFault } from './engine-fault.js';
import { RefusedStatementError } from './gate/refused-statement-error.js';
import { ResultTooLargeError } from './result-too-large-error.js';
import { toTextOffset } from './text-offset.js';

/** A value can bring any text into a message, which is kept in the catalog and given to whoever asks for the status. */
const MAX_MESSAGE_LENGTH = 4_000;

/**
 * Puts what ended a run into words for the author of the statement, without a path of this server.
 *
 * @throws the error itself if no statement can be at fault for it: it is a bug.
 */
export function toRunFailure(error: unknown, order: RunOrder, tables: readonly LinkedTable[] = []): RunFailure {
  const failure = failureOf(error, order, tables);
  return { ...failure, message: shortened(failure.message) };
}

function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  return `${message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed()}… (${message.length} characters)`;
}

function failureOf(error: unknown, { sql, folder }: RunOrder, tables: readonly LinkedTable[]): RunFailure {
  if (error instanceof ResultTooLargeError) return { type: 'FAILED_TYPE_RESULT_TOO_LARGE', message: error.message };
  if (error instanceof RefusedStatementError) {
    return { type: 'FAILED_TYPE_EXECUTION_FAILED', message: error.message, ...placed(sql, error.byteOffset) };
  }
  const fault = error instanceof EngineFault ? error : EngineFault.from(error);
  if (isDiskFull(fault))
    return { type: 'FAILED_TYPE_INTERNAL', message: 'The service has no disk space left for this run' };
  if (fault.isBug) throw error;
  const text = `${fault.type} Error: ${fault.message}`.replaceAll(`${folder}/`, '').replaceAll(folder, '.');
  const message = withoutFiles(text, tables);
  // Where a view over files fails is no place in the statement.
  return { type: typeOf(fault), message, ...(message === text ? placed(sql, fault.byteOffset) : {}) };
}

/** What the engine says when the name of a folder does not fit the type of its column: only once it reads there. */
const FOLDER_FAULT = '(from hive partition column ';

/** What the engine says when the link to an open file leads to another path than when it was allowed. */
const MOVED_FAULT = /Cannot access (a file of \S+) - file system operations are disabled by configuration/;

/** Names the tables whose files a message is about. The reader of several CSV files does not always say which it is. */
function withoutFiles(message: string, tables: readonly LinkedTable[]): string {
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
  text = text.replace(MOVED_FAULT, '$1 was moved, replaced or deleted while the query read it');
  if (!text.includes(FOLDER_FAULT)) return text;
  return `${text}: ${changedFilesText(tables.filter(({ reading }) => reading?.isHive))}`;
}

/** A line that is not as it must be can hold more than the columns of its table: the engine would show all of it. */
function withoutLine(message: string): string {
  return message
    .replace(/(: Object )\{.*\} (has duplicate key )/s, '$1$2')
    .replace(/(: Expected OBJECT, but got \w+): .*/s, '$1');
}

function placed(sql: string, byteOffset: number | undefined): Pick<RunFailure, 'offset'> {
  return byteOffset === undefined ? {} : { offset: toTextOffset(sql, byteOffset) };
}

function typeOf({ type, isOutOfMemory, isFileTooLarge }: EngineFault): FailureType {
  if (isOutOfMemory) return 'FAILED_TYPE_OUT_OF_MEMORY';
  if (isFileTooLarge) return 'FAILED_TYPE_RESULT_TOO_LARGE';
  return type === 'INTERNAL' || type === 'FATAL' ? 'FAILED_TYPE_INTERNAL' : 'FAILED_TYPE_EXECUTION_FAILED';
}
