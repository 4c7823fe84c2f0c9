import { describe, expect, it } from '@jest/globals';
import { isNoexec } from './is-noexec.js';

const MOUNTS = `/dev/vda / ext4 rw,relatime 0 0
tmpfs /tmp tmpfs rw,nosuid,noexec 0 0
tmpfs /tmp/code tmpfs rw 0 0
/dev/vdb /my\\040disk ext4 rw,noexec 0 0
/dev/vdc /twice ext4 rw 0 0
/dev/vdd /twice ext4 rw,noexec 0 0
`;

describe('isNoexec', () => {
  it.each([
    ['/home/ada', false],
    ['/tmp', true],
    ['/tmp/eider', true],
    ['/tmpfiles', false],
    ['/tmp/code/eider', false],
    ['/my disk/eider', true],
    ['/twice/eider', true],
  ])('finds the mount of %s', (folder, expected) => {
    expect(isNoexec(folder, MOUNTS)).toBe(expected);
  });

  it('objects to nothing that it cannot know', () => {
    expect(isNoexec('/home', '')).toBe(false);
  });
});
