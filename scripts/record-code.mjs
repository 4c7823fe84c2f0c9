// Lets V8 compile the bundles of a build once, and keeps what it has compiled (`src/code-cache/`).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, watch } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How long a bundle may take. */
const TIMEOUT_MS = 60_000;

/** The machine that builds may be smaller than the one that serves. */
const SETTINGS = {
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'silent',
  SAMPLE_DATA: 'false',
  WORKERS: '1',
  WORKER_MEMORY: '128MB',
  READERS: '1',
  READER_MEMORY: '128MB',
  UPLOADERS: '1',
  UPLOADER_MEMORY: '128MB',
};

/** Writes the file of compiled code beside each bundle. */
export async function recordCode(dist) {
  const children = join(dist, 'children');
  const bundles = readdirSync(children).filter((name) => name.endsWith('.bundle.cjs'));
  await Promise.all([...bundles.map((name) => recordChild(dist, join(children, name))), recordProgram(dist)]);
}

/** A child without a server ends when it would wait for orders. */
async function recordChild(dist, bundle) {
  await inTemporaryFolder((folder) => untilEnded(start(dist, [bundle], folder), bundle));
}

/** The program is started as a service and stopped as soon as it listens. */
async function recordProgram(dist) {
  await inTemporaryFolder(async (folder) => {
    const bundle = join(dist, 'main.bundle.cjs');
    const program = start(dist, [bundle, 'serve'], folder, { ...SETTINGS, DATA_DIR: folder });
    const watcher = watch(folder, () => {
      if (!existsSync(join(folder, 'server.json'))) return;
      watcher.close();
      program.kill('SIGTERM');
    });
    await untilEnded(program, bundle).finally(() => watcher.close());
  });
}

function start(dist, args, cwd, settings = {}) {
  const { PATH, LANG } = process.env;
  return spawn(process.execPath, [join(dist, 'record-code.cjs'), ...args], {
    cwd,
    env: { PATH, LANG, ...settings },
    stdio: ['pipe', 'ignore', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
}

async function untilEnded(process_, bundle) {
  let errors = '';
  process_.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const [code, signal] = await once(process_, 'close');
  if (code !== 0) throw new Error(`The built ${bundle} does not start (${signal ?? code}):\n${errors}`);
}

async function inTemporaryFolder(use) {
  const folder = await mkdtemp(join(tmpdir(), 'eider-build-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
