import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
// @ts-expect-error a script without types
import { isUpToDate, PROGRAM, recordBuild } from '../../scripts/source-digest.mjs';
// @ts-expect-error a script without types
import { V8_FLAGS } from '../../scripts/v8-flags.mjs';

describe('isUpToDate', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'eider-build-'));
    for (const folder of ['src', 'scripts', 'dist']) await mkdir(join(root, folder));
    for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', '.swcrc'])
      await cp(file, join(root, file));
    await writeFile(join(root, 'src/main.ts'), 'const version = 1;');
    await recordBuild(root, PROGRAM, async () => {});
  });
  afterEach(() => rm(root, { recursive: true }));

  it('holds for the sources that were built, whatever their times', async () => {
    await utimes(join(root, 'src/main.ts'), new Date(), new Date());
    expect(isUpToDate(root)).toBe(true);
  });

  it('holds when only a test has changed', async () => {
    await writeFile(join(root, 'src/main.spec.ts'), 'test();');
    expect(isUpToDate(root)).toBe(true);
  });

  it('does not hold for another release whose files are older than the build', async () => {
    await writeFile(join(root, 'src/main.ts'), 'const version = 2;');
    await utimes(join(root, 'src/main.ts'), new Date(0), new Date(0));
    expect(isUpToDate(root)).toBe(false);
  });

  it('does not hold before a build, or after one that was cut off', async () => {
    await recordBuild(root, PROGRAM, () => Promise.reject(new Error('cut off'))).catch(() => {});
    expect(isUpToDate(root)).toBe(false);
  });

  it('is asked before a build, which a folder that cannot be written refuses in one sentence', async () => {
    await cp('scripts', join(root, 'scripts'), { recursive: true });
    // A file system that is mounted read-only refuses root, too.
    const mounted =
      'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$0" "$1/scripts/build.mjs" --if-needed';
    const isRoot = process.getuid?.() === 0;
    const words = ['--mount', ...(isRoot ? [] : ['--map-root-user']), 'sh', '-c', mounted, process.execPath, root];
    const build = spawnSync('unshare', words);
    expect(build.status).toBe(1);
    expect(String(build.stderr)).toMatch(
      /^Eider must be built first, but this user cannot write its program folder: .*\n$/,
    );
  });

  it('is what npm start asks', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
    const node = `node ${V8_FLAGS.join(' ')}`;
    expect(scripts.start).toBe(`node scripts/build.mjs --if-needed && exec ${node} dist/main.js serve`);
    expect(scripts.eider).toBe(`node scripts/build.mjs --if-needed --quiet && exec ${node} dist/main.js`);
    expect(await readFile('bin/eider', 'utf8')).toContain(`exec ${node} "$root/dist/main.js" "$@"`);
  });
});
