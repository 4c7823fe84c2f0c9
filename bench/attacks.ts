import { once } from 'node:events';
import type { ClientRequest } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { readAttacks } from '../test/support/engine/attack-corpus.js';
import type { BenchClient } from './client.js';
import { mixedQuery } from './support.js';

/** What an account does to stop the others. */
export interface Attack {
  readonly name: string;
  /**
   * Begins the attack; the returned function ends it, and settles once its executions are
   * cancelled.
   */
  readonly begin: (attacker: BenchClient) => Promise<() => Promise<void>>;
}

/** Paths of public results below `/api/v1` that the attacker reads. */
export interface Targets {
  /** A large result as CSV. */
  readonly csv: string;
  /** A page that is larger than what the server and the connections buffer. */
  readonly page: string;
}

const UNREAD = 12;
const REOPEN_MS = 500;
/** Time in which the unread answers usually begin. */
const ANSWERED_MS = 5_000;
const ENDLESS_QUERIES = 4;
const QUEUED = 999;
const LARGE_WAIT_MS = 500;
const BOMBS_AT_A_TIME = 2;
/** All of them are run in the time that the victim is measured. */
const BOMB_MS = 500;
const MAX_STORED_RESULTS = 20;
const STORED_ROWS = 1_000_000;
/** Needs little memory and does not end by itself. */
const ENDLESS =
  'SELECT count(*) FROM range(100000) a, range(100000) b, range(100000) c WHERE a.range * b.range * c.range = -1';

/** Every attack, in the order of the promises in `docs/operations.md` that they try. */
export function attacksOn({ csv, page }: Targets): readonly Attack[] {
  return [
    { name: `${UNREAD} CSV downloads that nobody reads`, begin: (attacker) => leaveUnread(attacker, csv) },
    { name: `${UNREAD} pages of 24 MB that nobody reads`, begin: (attacker) => leaveUnread(attacker, page) },
    { name: `${ENDLESS_QUERIES} endless queries`, begin: (attacker) => queueEndless(attacker, ENDLESS_QUERIES) },
    { name: `${QUEUED} queued executions`, begin: (attacker) => queueEndless(attacker, QUEUED) },
    { name: 'waiting large executions, cancelled again and again', begin: cancelLarge },
    { name: 'the bombs of the attack corpus', begin: runBombs },
    { name: `up to ${MAX_STORED_RESULTS} large stored results`, begin: storeResults },
  ];
}

/** Keeps answers unread: one that the server cuts or refuses is asked for again. */
async function leaveUnread(attacker: BenchClient, path: string): Promise<() => Promise<void>> {
  const opened = new Set<ClientRequest>();
  let isEnding = false;
  const open = () => {
    if (isEnding) return;
    const request = attacker.openUnread(path, () => {
      opened.delete(request);
      void setTimeout(REOPEN_MS).then(open);
    });
    opened.add(request);
  };
  for (let count = 0; count < UNREAD; count += 1) open();
  await Promise.race([Promise.all([...opened].map((request) => once(request, 'response'))), setTimeout(ANSWERED_MS)]);
  return async () => {
    isEnding = true;
    for (const request of opened) request.destroy();
  };
}

/** Runs the statements that use up memory, disk, depth and time, again and again. */
async function runBombs(attacker: BenchClient): Promise<() => Promise<void>> {
  const bombs = readAttacks({}).filter(({ expect, also = [] }) => [expect, ...also].some((end) => end !== 'error'));
  let next = 0;
  const runNext = async () => {
    const id = await attacker.execute(bombs[next++ % bombs.length]?.sql ?? '').catch(() => undefined);
    await setTimeout(BOMB_MS);
    if (id !== undefined) await attacker.cancel(id);
  };
  const ends = Array.from({ length: BOMBS_AT_A_TIME }, () => repeatedly(runNext));
  return async () => {
    for (const end of ends) await end();
  };
}

/** Executes until all are queued, or refused. */
async function queueEndless(attacker: BenchClient, count: number): Promise<() => Promise<void>> {
  const ids: string[] = [];
  for (let submitted = 0; submitted < count; submitted += 1) {
    await attacker.execute(ENDLESS).then(
      (id) => ids.push(id),
      () => {},
    );
  }
  return async () => {
    for (const id of ids.toReversed()) await attacker.cancel(id);
  };
}

async function cancelLarge(attacker: BenchClient): Promise<() => Promise<void>> {
  const running = await attacker.execute(ENDLESS);
  const end = repeatedly(async () => {
    const large = await attacker.execute(ENDLESS, 'large');
    await setTimeout(LARGE_WAIT_MS);
    await attacker.cancel(large);
    await setTimeout(LARGE_WAIT_MS);
  });
  return async () => {
    await end();
    await attacker.cancel(running);
  };
}

/** Stores results one after the other; what the quota of the plan refuses is not tried again. */
async function storeResults(attacker: BenchClient): Promise<() => Promise<void>> {
  let stored = 0;
  return repeatedly(async () => {
    if (stored < MAX_STORED_RESULTS) {
      stored += 1;
      await attacker.run(mixedQuery(STORED_ROWS), 50).catch(() => {
        stored = MAX_STORED_RESULTS;
      });
    } else await setTimeout(LARGE_WAIT_MS);
  });
}

/** Repeats an action until the returned function is called, which settles after the last one. */
function repeatedly(action: () => Promise<void>): () => Promise<void> {
  let isEnding = false;
  const ended = (async () => {
    while (!isEnding) await action();
  })();
  return () => {
    isEnding = true;
    return ended;
  };
}
