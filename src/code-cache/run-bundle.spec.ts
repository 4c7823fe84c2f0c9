import { isAscii } from 'node:buffer';
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const RUNNER = resolve('dist/run-bundle.cjs');

let folder: string;
let bundle: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'eider-bundle-'));
  bundle = join(folder, 'some.bundle.cjs');
});

afterEach(() => rmSync(folder, { recursive: true }));

function givenBundle(text: string): void {
  writeFileSync(bundle, `${text}\n// ${createHash('sha256').update(text).digest('hex')}`);
}

/** The build is there as long as the input of what it has started is open. */
function startRecording(): ChildProcessByStdio<Writable, null, null> {
  return spawn(process.execPath, [resolve('dist/record-code.cjs'), bundle], { stdio: ['pipe', 'ignore', 'inherit'] });
}

async function record(): Promise<void> {
  expect(await once(startRecording(), 'exit')).toEqual([0, null]);
}

function node(args: readonly string[]): string {
  return execFileSync(process.execPath, args, { encoding: 'utf8' });
}

function run(flags: readonly string[] = []): string {
  return node([...flags, '-e', `require('${RUNNER}').runBundle('${bundle}')`]).trim();
}

/** Whether V8 takes the code beside a bundle, in a process like those that run it. */
function isTaken(path: string): boolean {
  const script = `console.log(require('${RUNNER}').compileBundle('${path}').script.cachedDataRejected)`;
  return node(['--max-old-space-size=64', '-e', script]).trim() === 'false';
}

function bundlesOf(dist: string): string[] {
  return readdirSync(dist)
    .filter((name) => name.endsWith('.bundle.cjs'))
    .map((name) => resolve(dist, name));
}

describe('runBundle', () => {
  it('finds code for each bundle of the program, which V8 takes', () => {
    const bundles = [...bundlesOf('dist'), ...bundlesOf('dist/children')];
    expect(bundles).toHaveLength(4);
    for (const path of bundles) expect({ path, isTaken: isTaken(path) }).toEqual({ path, isTaken: true });
  });

  it('runs a bundle that has no code', () => {
    givenBundle("console.log('one', __filename)");
    expect(run()).toBe(`one ${bundle}`);
  });

  it('runs a bundle from its code', async () => {
    givenBundle("console.log('one', __filename)");
    await record();
    expect(isTaken(bundle)).toBe(true);
    expect(run()).toBe(`one ${bundle}`);
  });

  it('never runs the code of another text, of which V8 itself compares the length only', async () => {
    givenBundle("console.log('one')");
    await record();
    givenBundle("console.log('two')");
    expect(run()).toBe('two');
  });

  it.each([
    { what: 'cut', damage: (code: Buffer) => code.subarray(0, -1) },
    { what: 'empty', damage: () => Buffer.alloc(0) },
    {
      what: 'altered in one byte',
      damage: (code: Buffer) => code.fill((code.at(-9) ?? 0) ^ 1, code.length - 9, code.length - 8),
    },
  ])('runs the text where the code is $what', async ({ damage }) => {
    givenBundle("console.log('one')");
    await record();
    expect(isTaken(bundle)).toBe(true);
    const file = `${bundle}.code`;
    writeFileSync(file, damage(readFileSync(file)));
    expect(run()).toBe('one');
    expect(isTaken(bundle)).toBe(false);
  });

  it('reads bundles of ASCII, a byte for each character', () => {
    for (const path of [...bundlesOf('dist'), ...bundlesOf('dist/children')])
      expect({ path, isAscii: isAscii(readFileSync(path)) }).toEqual({ path, isAscii: true });
  });

  it('names lines of the sources in stack traces where Node is asked to', () => {
    const failing = "  throw new Error('here')";
    const map = { version: 3, sources: ['source.ts'], names: [], mappings: 'AAUA' };
    const url = `data:application/json;base64,${Buffer.from(JSON.stringify(map)).toString('base64')}`;
    givenBundle(`try {${failing} } catch (error) { console.log(error.stack) }\n//# sourceMappingURL=${url}`);
    expect(run(['--enable-source-maps'])).toContain('source.ts:11');
    expect(run()).toContain('some.bundle.cjs:1');
  });
});

describe('record-code', () => {
  it('ends with the build that has started it', async () => {
    givenBundle('setInterval(() => {}, 1_000)');
    const recording = startRecording();
    recording.stdin.destroy();
    expect(await once(recording, 'exit')).toEqual([null, 'SIGKILL']);
    expect(readdirSync(folder)).toEqual(['some.bundle.cjs']);
  });
});
