import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { FAILPOINT_KINDS, FAILPOINTS, type Failpoint } from '../../src/config/failpoints.js';

describe('docs/reliability.md', () => {
  it('lists the failpoints with their kinds, and when each is reached', async () => {
    const text = await readFile('docs/reliability.md', 'utf8');
    const rows = Array.from(text.matchAll(/^\| `([a-z-]+)` \| ([a-z, ]+) \| (.+) \|$/gm), (row) => row.slice(1));
    const kindsOf = ({ kinds }: Failpoint) => FAILPOINT_KINDS.filter((kind) => kinds.includes(kind)).join(', ');
    expect(rows).toEqual(Object.entries(FAILPOINTS).map(([name, point]) => [name, kindsOf(point), point.reached]));
  });
});

describe('src/', () => {
  it('has each failpoint somewhere', async () => {
    const files = (await readdir('src', { recursive: true })).filter((file) => /(?<!\.spec)\.ts$/.test(file));
    const sources = (await Promise.all(files.map((file) => readFile(`src/${file}`, 'utf8')))).join('');
    const reached = Array.from(sources.matchAll(/\b(?:failpoint|chunksAtFailpoint)\('([a-z-]+)'/g), ([, name]) => name);
    expect(new Set(reached)).toEqual(new Set(Object.keys(FAILPOINTS)));
  });
});
