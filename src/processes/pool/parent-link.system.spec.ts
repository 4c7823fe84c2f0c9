import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

/** Resolves once the process is gone. */
async function untilGone(pid: number): Promise<void> {
  for (;;) {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // A killed process may stay as a zombie where no init collects it.
    if (state === undefined || /\) Z /.test(state)) return;
    await new Promise(setImmediate);
  }
}

describe('connectToParent', () => {
  it('ends the child when the server is killed', async () => {
    const server = spawn(process.execPath, ['test/support/children/orphan.mjs'], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [childPid] = (await once(server, 'message')) as [number];
    server.kill('SIGKILL');
    await untilGone(childPid);
    expect(server.killed).toBe(true);
  });
});
