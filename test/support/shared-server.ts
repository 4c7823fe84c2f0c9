import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Plan } from '../../src/auth/account.js';
import type { Scope } from '../../src/auth/scope.js';
import { ApiClient } from './api-client.js';
import { CONTROL_FILE, type ControlCalls, type ControlFile } from './shared-server-control.js';
import { until } from './until.js';

/**
 * A service that files of tests use one after the other, each as if it had just been set up: for
 * files without settings, clock or failures of their own. Each Jest worker starts one;
 * `global-teardown.js` stops it.
 */
export class SharedServer extends ApiClient {
  private constructor(
    private readonly controlUrl: string,
    url: string,
    key: string,
  ) {
    super(url, key);
  }

  /** Begins to use the server of this worker, which has an account `demo` then. */
  static async use(): Promise<SharedServer> {
    const folder = join(process.env.EIDER_TEST_FOLDER ?? '', `worker-${process.env.JEST_WORKER_ID}`);
    const file = join(folder, CONTROL_FILE);
    if (!existsSync(file)) await start(folder, file);
    const { url, controlUrl } = JSON.parse(await readFile(file, 'utf8')) as ControlFile;
    return new SharedServer(controlUrl, url, await call(controlUrl, 'reset', {}));
  }

  /** Ends the use, and expects that no process, file or execution of it is left. */
  async leave(): Promise<void> {
    expect(await call(this.controlUrl, 'remains', {})).toEqual({ processes: [], files: [], executions: [] });
  }

  /** Makes an account and returns its key. */
  givenKey(
    handle: string,
    { plan = 'premium', scope = 'admin' }: { plan?: Plan; scope?: Scope } = {},
  ): Promise<string> {
    return call(this.controlUrl, 'key', { handle, plan, scope });
  }

  protected async listenForChange(): Promise<() => Promise<number>> {
    const changes = await call(this.controlUrl, 'changes', { after: -1 });
    return () => call(this.controlUrl, 'changes', { after: changes });
  }
}

/** Starts a server that outlives this process: Jest replaces workers that have become large. */
async function start(folder: string, file: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const log = await open(join(folder, 'server.log'), 'a+');
  const script = 'dist/test/shared-server.child.cjs';
  const server = spawn(process.execPath, [script, folder], { detached: true, stdio: ['ignore', log.fd, log.fd] });
  server.unref();
  await until(() => existsSync(file) || server.exitCode !== null);
  if (server.exitCode !== null) throw new Error(`The server did not start: ${await log.readFile('utf8')}`);
  await log.close();
}

async function call<Name extends keyof ControlCalls>(
  controlUrl: string,
  name: Name,
  parameters: ControlCalls[Name]['takes'],
): Promise<ControlCalls[Name]['gives']> {
  const response = await fetch(`${controlUrl}/${name}`, { method: 'POST', body: JSON.stringify(parameters) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as ControlCalls[Name]['gives'];
}
