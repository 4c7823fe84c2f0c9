import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const FILES = {
  'page.md': [
    '# A page',
    '',
    `One line of prose ${'that is too wide '.repeat(6)}for anyone.`,
    '',
    `A [link](https://example.org/${'x'.repeat(120)}) and \`nobody\` in code are right.`,
    '',
    `| A table | ${'can be wide '.repeat(12)} |`,
    '|---|---|',
    '| The server tells it | nothing |',
    '',
    '```ts',
    `const told = '${'x'.repeat(120)}';`,
    '```',
  ],
  'thing.errors.ts': [
    '/** A value that is given',
    ' * back by {@link nobody}. */',
    `export const whoever = 'nobody'; // told ${'x'.repeat(80)}`,
    "export const text = 'There is a fault here';",
  ],
  'thing.ts': ["const text = 'There is a fault here';", 'throw new Error(`The twin is gone`);'],
  'thing.sh': ['#!/bin/sh', '# Nobody reads this.', 'echo "nobody" # and nobody this'],
};

describe('scripts/check-prose.mjs', () => {
  let folder: string;
  let status: number | null;
  let found: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eider-prose-'));
    for (const [name, lines] of Object.entries(FILES)) await writeFile(join(folder, name), lines.join('\n'));
    const result = spawnSync(process.execPath, ['scripts/check-prose.mjs', folder], { encoding: 'utf8' });
    status = result.status;
    found = result.stderr.replaceAll(`${folder}/`, '').trimEnd().split('\n').sort();
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('fails', () => {
    expect(status).toBe(1);
  });

  it('finds words and wide lines in documents, except in code, tables and targets of links', () => {
    expect(found.filter((line) => line.startsWith('page.md'))).toEqual([
      'page.md:3:1: the line is 131 characters wide, the limit is 100',
      'page.md:9:14: instead of "tells", say report, return, state; distinguish',
    ]);
  });

  it('finds words and wide lines in comments, and words in the texts of errors', () => {
    expect(found.filter((line) => line.startsWith('thing')).map((line) => line.replace(/, say .*/, ''))).toEqual([
      'thing.errors.ts:1:21: instead of "given back"',
      'thing.errors.ts:3:34: the line is 121 characters wide, the limit is 100',
      'thing.errors.ts:3:37: instead of "told"',
      'thing.errors.ts:4:33: instead of "fault"',
      'thing.sh:2:3: instead of "Nobody"',
      'thing.ts:2:22: instead of "twin"',
    ]);
  });
});
