import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { AccountsService } from '../../src/auth/accounts.service.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { Catalog } from '../../src/catalog/catalog.js';
import { ExecutionEvents } from '../../src/executions/execution-events.js';
import { FirstStart } from '../../src/first-start/first-start.js';
import { findChildren } from './child-processes.js';
import { TestServer } from './server.js';
import { CONTROL_FILE, type ControlCalls, type ControlFile, type Remains } from './shared-server-control.js';

const SETTINGS = {
  CORS_ORIGINS: 'https://app.example.org',
  READS_PER_MINUTE: '100000',
  WRITES_PER_MINUTE: '100000',
  WORKER_THREADS: '2',
};

/** Tables of the catalog, those first that refer to others. */
const TABLES = [
  'executions',
  'query_versions',
  'queries',
  'table_parts',
  'tables',
  'removed_parts',
  'orphans',
  'api_keys',
  'accounts',
  'first_starts',
] as const;

/**
 * Children that stay. Two of `run` wait if an execution on a busy machine was faster than the child
 * that was to be ready for it.
 */
const KEPT_CHILDREN = { run: 2, read: 1, ingest: 1, syntax: 1 };

/** How often the server checks that the run of the tests goes on, which can be killed. */
const RUN_CHECK_MS = 1_000;

/** The first interval; each one is a tenth longer, so as not to keep children from ending. */
const INTERVAL_MS = 10;
/**
 * Attempts in 40 seconds, after which what is left is a leak: a busy machine takes seconds to end
 * processes.
 */
const MAX_ATTEMPTS = 63;

type Calls = {
  [Name in keyof ControlCalls]: (takes: ControlCalls[Name]['takes']) => Promise<ControlCalls[Name]['gives']>;
};

/** What tests may ask of a server beside its own interface. */
class Control implements Calls {
  private count = 0;
  private waiting: (() => void)[] = [];

  constructor(private readonly server: TestServer) {
    server.app.get(ExecutionEvents).onChanged(() => {
      this.count += 1;
      for (const resolve of this.waiting.splice(0)) resolve();
    });
  }

  async reset(): Promise<string> {
    const { app } = this.server;
    const catalog = app.get(Catalog);
    for (const table of TABLES) await catalog.deleteFrom(table).execute();
    await catalog.deleteFrom('sqlite_sequence' as 'orphans').execute();
    await app.get(FirstStart).prepare();
    const [account] = await app.get(AccountsService).list();
    if (!account) throw new Error('The first start made no account');
    return (await app.get(ApiKeysService).create(account, { name: 'test', scope: 'admin' })).text;
  }

  key({ handle, ...choices }: ControlCalls['key']['takes']): Promise<string> {
    return this.server.givenKey(handle, choices);
  }

  async changes({ after }: ControlCalls['changes']['takes']): Promise<number> {
    while (this.count <= after) await new Promise<void>((resolve) => this.waiting.push(resolve));
    return this.count;
  }

  async remains(): Promise<Remains> {
    for (let attempt = 1; ; attempt += 1) {
      const remains = await this.findRemains();
      if (attempt === MAX_ATTEMPTS || Object.values(remains).flat().length === 0) return remains;
      await setTimeout(INTERVAL_MS * 1.1 ** attempt);
    }
  }

  private async findRemains(): Promise<Remains> {
    const { app, dataDir } = this.server;
    const [runs, staged, pinned] = await Promise.all(
      ['runs', 'staging', 'readers/pinned'].map((folder) => readdir(join(dataDir, folder)).catch(() => [])),
    );
    const executions = app
      .get(Catalog)
      .selectFrom('executions')
      .select('id')
      .where('state', 'in', ['PENDING', 'EXECUTING']);
    return {
      processes: Object.entries(KEPT_CHILDREN).flatMap(([name, count]) =>
        findChildren(`${name}.child.cjs`)
          .slice(count)
          .map(() => name),
      ),
      files: [...(runs ?? []), ...(staged ?? []).filter((name) => !name.startsWith('child-')), ...(pinned ?? [])],
      executions: (await executions.execute()).map(({ id }) => id),
    };
  }
}

async function main([folder = '']: readonly string[]): Promise<void> {
  const server = await TestServer.start({ ...SETTINGS, DATA_DIR: join(folder, 'data') });
  const control: Calls = new Control(server);
  const http = createServer(async (request, response) => {
    const name = request.url?.slice(1) as keyof Calls;
    try {
      response.end(JSON.stringify(await control[name]((await json(request)) as never)));
    } catch (error) {
      response.writeHead(500).end((error as Error).stack);
    }
  }).listen(0, '127.0.0.1', async () => {
    const { port } = http.address() as AddressInfo;
    const file: ControlFile = { pid: process.pid, url: server.url, controlUrl: `http://127.0.0.1:${port}` };
    // Whole or not at all: tests wait for it.
    await writeFile(join(folder, `${CONTROL_FILE}.new`), JSON.stringify(file));
    await rename(join(folder, `${CONTROL_FILE}.new`), join(folder, CONTROL_FILE));
  });
  const stop = async () => {
    http.close().closeAllConnections();
    await server.stop();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  setInterval(() => {
    if (isRunning(Number(process.env.EIDER_TEST_RUN))) return;
    void rm(join(folder, '..'), { recursive: true, force: true }).then(stop);
  }, RUN_CHECK_MS).unref();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

void main(process.argv.slice(2));
