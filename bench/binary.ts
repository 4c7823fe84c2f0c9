import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilChildrenWait } from './executions.js';
import { BenchServer, compare, PLAIN } from './support.js';

const MUST = 1.3;

/** The single executable, whose files are unpacked, against the built program. */
export async function benchBinary(): Promise<void> {
  execFileSync(process.execPath, ['scripts/build-binary.mjs', '--if-needed']);
  const executable = `dist/binary/eider-linux-${process.arch}`;
  const runtimeFolder = await mkdtemp(join(tmpdir(), 'eider-bench-runtime-'));
  const start = (program: readonly string[]) => BenchServer.start({ EIDER_RUNTIME_DIR: runtimeFolder }, program);
  await compare('executable against plain program: start to first request', MUST, {
    ours: () => startOf(start([executable])),
    bare: () => startOf(start(PLAIN)),
  });
  const [ours, bare] = await Promise.all([start([executable]), start(PLAIN)]);
  await compare('executable against plain program: execute SELECT 1 until COMPLETED', MUST, {
    ours: () => runOn(ours),
    bare: () => runOn(bare),
    runs: 21,
  });
  await Promise.all([ours.stop(), bare.stop()]);
  await rm(runtimeFolder, { recursive: true });
}

async function startOf(starting: Promise<BenchServer>): Promise<number> {
  const server = await starting;
  await server.stop();
  return server.startMs;
}

async function runOn(server: BenchServer): Promise<number> {
  await untilChildrenWait(server);
  return (await server.run('SELECT 1')).elapsedMs;
}
