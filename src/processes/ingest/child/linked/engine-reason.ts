import { EngineError } from '../../../../duckdb/connection/engine-error.js';
import type { LinkedFile } from '../../../../storage/linked/linked-files.js';

/** Messages of the engine for damaged files, and what they mean. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/magic bytes|too small to be/i, 'it is no Parquet file, or its end is missing'],
  [/TProtocolException|don't know what type|metadata|footer/i, 'its metadata is damaged'],
  [/encrypt/i, 'it is encrypted'],
];

/** Why the engine cannot read files: part of a sentence, without paths of the server. */
export function engineReason(error: unknown, files: readonly LinkedFile[]): string {
  const { message } = EngineError.from(error);
  const meaning = MEANINGS.find(([pattern]) => pattern.test(message));
  if (meaning) return meaning[1];
  const [line = ''] = message.split(/\n|\. (?=[A-Z])/);
  const text = files.reduce((shorter, { path, relativePath }) => shorter.replaceAll(path, relativePath), line);
  // A damaged file can bring any character into a message.
  return text.replace(/^Failed to read file "[^"]*": /, '').replaceAll(/\p{Cc}/gu, '?');
}

/** Whether the engine had too little memory, which is not about the content of a file. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof EngineError && error.type === 'Out of Memory';
}
