import { writeSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { FAILPOINTS, type Failpoint, type FailpointKind, type FailpointName } from './failpoints.js';
import { type ArmedFailpoint, parseFailpoints } from './parse-failpoints.js';

/** How long the kind `slow` waits. */
const SLOW_MS = 1_000;

const STANDARD_ERROR = 2;

/** What is about to be written to a file; the kind `short` writes half of it. */
export interface PendingWrite {
  readonly path: string;
  readonly bytes: () => Buffer | Promise<Buffer>;
}

interface Watched {
  readonly entries: readonly ArmedFailpoint[];
  count: number;
}

let armed: ReadonlyMap<FailpointName, Watched> | undefined;

/**
 * Lets things go wrong from now on, by the setting `TEST_FAILPOINT`; never by a request. Each time
 * that an armed failpoint is reached, a line on the standard error counts it, such as `failpoint
 * blob-copy@2`, or `failpoint blob-copy@2=eio` if it fires.
 */
export function armFailpoints(setting: string | undefined): void {
  const points = new Map<FailpointName, Watched>();
  for (const [name, entries] of Map.groupBy(parseFailpoints(setting ?? ''), (entry) => entry.name))
    points.set(name, { entries, count: 0 });
  armed = points.size === 0 ? undefined : points;
}

/**
 * A point at which a test can let something go wrong. To be awaited; it does nothing unless it is
 * armed.
 *
 * @param pending required at points that can write by half.
 */
export function failpoint(name: FailpointName, pending?: PendingWrite): Promise<void> | undefined {
  if (armed === undefined) return undefined;
  const kind = reach(name);
  return kind && happen(name, kind, pending);
}

/** Chunks on their way to a file, with a failpoint before each one. */
export function chunksAtFailpoint(
  name: FailpointName,
  path: string,
  chunks: AsyncIterable<Buffer>,
): AsyncIterable<Buffer> {
  return armed?.has(name) ? watchedChunks(name, path, chunks) : chunks;
}

async function* watchedChunks(name: FailpointName, path: string, chunks: AsyncIterable<Buffer>) {
  for await (const chunk of chunks) {
    await failpoint(name, { path, bytes: () => chunk });
    yield chunk;
  }
}

/** Counts, and returns what is to happen now. */
function reach(name: FailpointName): FailpointKind | undefined {
  const watched = armed?.get(name);
  if (!watched) return undefined;
  watched.count += 1;
  const { count } = watched;
  const entry = watched.entries.find(({ nth, isRepeated }) => (isRepeated ? count >= nth : count === nth));
  writeSync(STANDARD_ERROR, `failpoint ${name}@${count}${entry ? `=${entry.kind}` : ''}\n`);
  return entry?.kind;
}

async function happen(name: FailpointName, kind: FailpointKind, pending?: PendingWrite): Promise<void> {
  switch (kind) {
    case 'crash':
      process.kill(process.pid, 'SIGKILL');
      break;
    case 'slow':
      await setTimeout(SLOW_MS);
      break;
    case 'fail':
      throw new Error(`Failpoint ${name}`);
    case 'eio':
      throw toDiskError(name, 'EIO');
    case 'enospc':
      throw toDiskError(name, 'ENOSPC');
    case 'short':
      if (pending) await writeHalf(pending);
      throw toDiskError(name, 'ENOSPC');
  }
}

async function writeHalf({ path, bytes }: PendingWrite): Promise<void> {
  const all = await bytes();
  await appendFile(path, all.subarray(0, all.length / 2));
}

/** The errors of Node, and of SQLite (https://www.sqlite.org/rescode.html). */
const DISK_ERRORS = {
  EIO: { message: 'i/o error', sqlite: { message: 'disk I/O error', errcode: 10 } },
  ENOSPC: { message: 'no space left on device', sqlite: { message: 'database or disk is full', errcode: 13 } },
};

function toDiskError(name: FailpointName, code: 'EIO' | 'ENOSPC'): Error {
  const { isCatalog = false }: Failpoint = FAILPOINTS[name];
  const { message, sqlite } = DISK_ERRORS[code];
  if (isCatalog) return Object.assign(new Error(sqlite.message), { code: 'ERR_SQLITE_ERROR', errcode: sqlite.errcode });
  return Object.assign(new Error(`${code}: ${message}, failpoint ${name}`), { code, errno: -constants.errno[code] });
}
