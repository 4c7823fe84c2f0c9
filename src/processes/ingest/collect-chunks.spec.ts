import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

/** Flags belong to a process, which has to be one that has seen no body yet. */
const COLLECTS = `
import { cachedDataVersionTag } from 'node:v8';
const tags = [cachedDataVersionTag()];
const { ChunkCollector } = await import('./collect-chunks.ts');
const collector = new ChunkCollector();
for (const megabytes of [15, 1]) {
  collector.add(megabytes * 2 ** 20);
  tags.push(cachedDataVersionTag());
}
console.log(JSON.stringify(tags.map((tag) => tag === tags[0])));
`;

describe('ChunkCollector', () => {
  it('collects the young with each 16 MB, and leaves the flags of V8 alone until then', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--trace-gc', '--input-type=module', '-e', COLLECTS],
      { cwd: import.meta.dirname },
    );
    const lines = stdout.trim().split('\n');
    expect(lines.pop()).toBe('[true,true,false]');
    expect(lines.filter((line) => /Scavenge.*testing/.test(line))).toHaveLength(1);
  });
});
