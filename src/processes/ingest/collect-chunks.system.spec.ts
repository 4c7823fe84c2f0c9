import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const COLLECTS = `
const { ChunkCollector } = await import('./collect-chunks.ts');
const collector = new ChunkCollector();
for (const megabytes of [15, 1, 15]) collector.add(megabytes * 2 ** 20);
`;

describe('ChunkCollector', () => {
  it.each([
    ['collects the young objects after 16 MB', ['--expose-gc'], 1],
    ['does nothing if V8 does not show how', [], 0],
  ])('%s', async (_, flags, count) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...flags, '--trace-gc', '--input-type=module', '-e', COLLECTS],
      { cwd: import.meta.dirname },
    );
    expect(stdout.split('\n').filter((line) => /Scavenge.*testing/.test(line))).toHaveLength(count);
  });
});
