import { describe, expect, it } from '@jest/globals';
import { describeDiskError } from './describe-disk-error.js';

describe('describeDiskError', () => {
  it.each([
    [
      { code: 'ENOSPC', message: 'ENOSPC: no space left on device, write' },
      /^The disk is full \(ENOSPC: .*\): free space/,
    ],
    [{ errcode: 13, message: 'database or disk is full' }, /^The disk is full \(database or disk is full\)/],
    [{ code: 'EIO', message: 'EIO: i/o error, read' }, /^The disk fails \(EIO: i\/o error, read\): check the disk/],
    [{ errcode: 10 | (3 << 8), message: 'disk I/O error' }, /^The disk fails \(disk I\/O error\): check the disk/],
  ])('of %j is a sentence', (properties, sentence) => {
    expect(describeDiskError(Object.assign(new Error(properties.message), properties))).toMatch(sentence);
  });

  it.each([new Error('other'), Object.assign(new Error('locked'), { errcode: 5 }), undefined, 'text'])(
    'of %s is nothing',
    (error) => {
      expect(describeDiskError(error)).toBeUndefined();
    },
  );
});
