import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { TestServer } from './server.js';

/** What a file of tests can leave behind, as it stands at one moment. */
interface Remains {
  /** Process ids of the children of this process. */
  readonly children: readonly string[];
  /** What keeps the event loop alive: sockets, pipes, processes, timers. */
  readonly resources: readonly string[];
}

const FOLDERS = ['runs', 'readers', 'staging'];
/** The test runner's own, and what the garbage collector has yet to close. */
const IGNORED = new Set(['MessagePort', 'CloseReq']);
/** The runner times the hook that looks for leaks. */
const OWN_TIMER = 'Timeout';

const INTERVAL_MS = 10;
/** Attempts, after which what is left is a leak: a busy machine takes seconds to end processes. */
const MAX_ATTEMPTS = 2_000;

const before = await findRemains();

/**
 * Stops a server and expects that no process, socket, timer or temporary file of it is left. For
 * the end of a test file.
 */
export async function stopWithoutLeaks(server: TestServer): Promise<void> {
  await server.app.close();
  const files = await Promise.all(FOLDERS.map((folder) => filesIn(join(server.dataDir, folder))));
  await server.stop();
  // What is on its way out ends without help.
  let remains = await findAdded();
  for (let attempt = 0; attempt < MAX_ATTEMPTS && Object.values(remains).flat().length > 0; attempt++) {
    await setTimeout(INTERVAL_MS);
    remains = await findAdded();
  }
  expect({ ...remains, files: files.flat() }).toEqual({ children: [], resources: [], files: [] });
}

async function findAdded(): Promise<Remains> {
  const after = await findRemains();
  return {
    children: added(before.children, after.children),
    resources: added([...before.resources, OWN_TIMER], after.resources),
  };
}

/** What is there now and was not; what another file of tests had left may have gone meanwhile. */
function added(before: readonly string[], after: readonly string[]): string[] {
  const rest = [...after];
  for (const one of before) {
    const index = rest.indexOf(one);
    if (index >= 0) rest.splice(index, 1);
  }
  return rest;
}

async function findRemains(): Promise<Remains> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
  return {
    children: children.split(' ').filter(Boolean).sort(),
    resources: process
      .getActiveResourcesInfo()
      .filter((kind) => !IGNORED.has(kind))
      .sort(),
  };
}

async function filesIn(folder: string): Promise<string[]> {
  return readdir(folder, { recursive: true }).catch(() => []);
}
