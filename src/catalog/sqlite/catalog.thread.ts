import { parentPort, workerData } from 'node:worker_threads';
import { errorCodeOf, SqliteFile } from './sqlite-file.js';
import type { ThreadAnswer, ThreadRequest } from './writing-thread.js';

// The thread of `WritingThread`: answers after it has opened the file, then to each statement.
try {
  const file = SqliteFile.openToWrite(workerData as string);
  parentPort?.on('message', (request: ThreadRequest) => {
    if (request === 'close') {
      file.close();
      parentPort?.close();
    } else {
      answer(attempt(file, request));
    }
  });
  answer({ rows: [] });
} catch (error) {
  answer(toFailure(error));
}

function attempt(file: SqliteFile, statement: Exclude<ThreadRequest, 'close'>): ThreadAnswer {
  try {
    return file.run(statement);
  } catch (error) {
    return toFailure(error);
  }
}

/** A thrown error would lose its code on the way to the other thread. */
function toFailure(error: unknown): ThreadAnswer {
  const message = error instanceof Error ? error.message : String(error);
  return { failure: { message, errcode: errorCodeOf(error) } };
}

function answer(message: ThreadAnswer): void {
  parentPort?.postMessage(message);
}
