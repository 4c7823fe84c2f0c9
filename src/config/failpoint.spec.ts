import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { armFailpoints, chunksAtFailpoint, failpoint } from './failpoint.js';
import type { FailpointName } from './failpoints.js';

describe('failpoint', () => {
  afterEach(() => armFailpoints(undefined));

  /** Whether the point throws, each time of several. */
  async function reach(name: FailpointName, times: number): Promise<boolean[]> {
    const thrown: boolean[] = [];
    for (let time = 0; time < times; time++)
      thrown.push(
        await Promise.resolve(failpoint(name)).then(
          () => false,
          () => true,
        ),
      );
    return thrown;
  }

  it('returns nothing to wait for unless it is armed', () => {
    expect(failpoint('disk-sync')).toBeUndefined();
    armFailpoints('blob-adopt=fail');
    expect(failpoint('disk-sync')).toBeUndefined();
  });

  it.each([
    ['disk-sync=fail', [true, false, false, false]],
    ['disk-sync=fail@3', [false, false, true, false]],
    ['disk-sync=fail@3+', [false, false, true, true]],
    ['disk-sync=fail@2,disk-sync=fail@4', [false, true, false, true]],
  ])('%s fires at its times', async (setting, expected) => {
    armFailpoints(setting);
    expect(await reach('disk-sync', 4)).toEqual(expected);
  });

  it.each([
    ['disk-sync=eio', { code: 'EIO', errno: -5 }],
    ['disk-sync=enospc', { code: 'ENOSPC', errno: -28 }],
    ['catalog-write=eio', { message: 'disk I/O error', errcode: 10 }],
    ['catalog-write=enospc', { message: 'database or disk is full', errcode: 13 }],
  ])('%s throws the error of its door', async (setting, error) => {
    armFailpoints(setting);
    await expect(failpoint(setting.split('=')[0] as FailpointName)).rejects.toMatchObject(error);
  });

  it('writes half of the bytes, then finds the disk full', async () => {
    armFailpoints('blob-copy=short');
    const path = join(temporaryFolder(), 'copy');
    await expect(failpoint('blob-copy', { path, bytes: () => Buffer.from('abcdef') })).rejects.toMatchObject({
      code: 'ENOSPC',
    });
    expect(readFileSync(path, 'utf8')).toBe('abc');
  });

  it('lets chunks pass, up to the one at which it fires', async () => {
    armFailpoints('staging-write=short@2');
    const path = join(temporaryFolder(), 'staged');
    writeFileSync(path, '');
    const passed: string[] = [];
    async function* chunks() {
      yield Buffer.from('first');
      yield Buffer.from('next');
    }
    const passing = (async () => {
      for await (const chunk of chunksAtFailpoint('staging-write', path, chunks())) passed.push(chunk.toString());
    })();
    await expect(passing).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(passed).toEqual(['first']);
    expect(readFileSync(path, 'utf8')).toBe('ne');
  });
});
