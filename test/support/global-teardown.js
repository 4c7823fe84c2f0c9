import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** What a service leaves in these folders after its end was left behind by a test. */
const EMPTY_FOLDERS = ['runs', 'readers', 'staging'];

/** Stops the servers that files of tests have shared. */
export default async function globalTeardown() {
  const folder = process.env.EIDER_TEST_FOLDER;
  for (const worker of readdirSync(folder)) await stop(join(folder, worker));
  rmSync(folder, { recursive: true });
}

async function stop(worker) {
  const control = join(worker, 'control.json');
  if (!existsSync(control)) return;
  const { pid } = JSON.parse(readFileSync(control, 'utf8'));
  process.kill(pid, 'SIGTERM');
  while (isAlive(pid)) await setTimeout(10);
  const left = EMPTY_FOLDERS.flatMap((folder) => filesIn(join(worker, 'data', folder)));
  if (left.length > 0) throw new Error(`The shared server of the tests has left ${left.join(', ')}`);
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function filesIn(folder) {
  try {
    return readdirSync(folder, { recursive: true });
  } catch {
    return [];
  }
}
