import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { readCgroupLimits } from './cgroup.js';
import { readMachine } from './machine.js';

const NONE = Number.POSITIVE_INFINITY;

const V2 = '35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n';
const V1 = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
36 25 0:31 / /sys/fs/cgroup/memory rw,nosuid shared:10 - cgroup cgroup rw,memory
37 25 0:32 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:11 - cgroup cgroup rw,cpu,cpuacct
38 25 0:33 / /sys/fs/cgroup/unified rw,nosuid shared:12 - cgroup2 cgroup2 rw
`;

describe('readCgroupLimits', () => {
  let root: string;

  beforeEach(() => {
    root = temporaryFolder();
  });

  /** Reads the limits on a system that has these files. */
  function limitsWith(files: Readonly<Record<string, string>>) {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return readCgroupLimits(root);
  }

  it('finds none on a system without cgroups', () => {
    expect(limitsWith({})).toEqual({ memoryBytes: NONE, cores: NONE });
  });

  it('finds none where all is unlimited', () => {
    const limits = limitsWith({
      'proc/self/mountinfo': V2,
      'proc/self/cgroup': '0::/user.slice\n',
      'sys/fs/cgroup/user.slice/memory.max': 'max\n',
      'sys/fs/cgroup/user.slice/cpu.max': 'max 100000\n',
    });
    expect(limits).toEqual({ memoryBytes: NONE, cores: NONE });
  });

  it('reads the mounted cgroup of a container with a namespace of its own', () => {
    const limits = limitsWith({
      'proc/self/mountinfo': V2,
      'proc/self/cgroup': '0::/\n',
      'sys/fs/cgroup/memory.max': '2000000000\n',
      'sys/fs/cgroup/cpu.max': '150000 100000\n',
    });
    expect(limits).toEqual({ memoryBytes: 2e9, cores: 1.5 });
  });

  it('reads the cgroup of a service', () => {
    const limits = limitsWith({
      'proc/self/mountinfo': V2,
      'proc/self/cgroup': '0::/system.slice/eider.service\n',
      'sys/fs/cgroup/system.slice/eider.service/memory.max': '4000000000\n',
      'sys/fs/cgroup/system.slice/eider.service/cpu.max': '200000 100000\n',
      'sys/fs/cgroup/system.slice/other.service/memory.max': '1000\n',
    });
    expect(limits).toEqual({ memoryBytes: 4e9, cores: 2 });
  });

  it('takes the least limit on the way up', () => {
    const limits = limitsWith({
      'proc/self/mountinfo': V2,
      'proc/self/cgroup': '0::/a/b/c\n',
      'sys/fs/cgroup/a/memory.max': '3000000000\n',
      'sys/fs/cgroup/a/b/memory.max': '5000000000\n',
      'sys/fs/cgroup/a/b/cpu.max': '50000 100000\n',
      'sys/fs/cgroup/a/b/c/memory.max': 'max\n',
      'sys/fs/cgroup/a/b/c/cpu.max': '300000 100000\n',
    });
    expect(limits).toEqual({ memoryBytes: 3e9, cores: 0.5 });
  });

  it('reads each hierarchy of version 1', () => {
    const limits = limitsWith({
      'proc/self/mountinfo': V1,
      'proc/self/cgroup': '4:memory:/batch/eider\n3:cpu,cpuacct:/slow\n1:name=systemd:/\n0::/\n',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
      'sys/fs/cgroup/memory/batch/memory.limit_in_bytes': '6000000000\n',
      'sys/fs/cgroup/memory/batch/eider/memory.limit_in_bytes': '9223372036854771712\n',
      'sys/fs/cgroup/cpu,cpuacct/slow/cpu.cfs_quota_us': '400000\n',
      'sys/fs/cgroup/cpu,cpuacct/slow/cpu.cfs_period_us': '100000\n',
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1\n',
      'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
    });
    expect(limits).toEqual({ memoryBytes: 6e9, cores: 4 });
  });

  it('knows a container that sees its own cgroup where the host has the root', () => {
    const limits = limitsWith({
      'proc/self/mountinfo':
        '36 25 0:31 /docker/0a1b /sys/fs/cgroup/memory ro,nosuid master:10 - cgroup cgroup rw,memory\n',
      'proc/self/cgroup': '4:memory:/docker/0a1b/inner\n',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '8000000000\n',
      'sys/fs/cgroup/memory/inner/memory.limit_in_bytes': '7000000000\n',
    });
    expect(limits.memoryBytes).toBe(7e9);
  });

  it('stays below the mount with a cgroup outside of it, and unescapes paths', () => {
    const limits = limitsWith({
      'proc/self/mountinfo': '35 24 0:30 / /sys/fs/c\\040group rw - cgroup2 cgroup2 rw\n',
      'proc/self/cgroup': '0::/../../elsewhere\n',
      'sys/memory.max': '1000\n',
      'sys/fs/c group/memory.max': '9000000000\n',
    });
    expect(limits.memoryBytes).toBe(9e9);
  });
});

describe('readMachine', () => {
  it('lets limits of cgroups count where they are lower', () => {
    expect(readMachine({ memoryBytes: 1e9, cores: 1.9 })).toEqual({ memoryBytes: 1e9, cores: 1 });
    expect(readMachine({ memoryBytes: 1e9, cores: 0.2 })).toEqual({ memoryBytes: 1e9, cores: 1 });
    expect(readMachine({ memoryBytes: NONE, cores: NONE })).toEqual({
      memoryBytes: totalmem(),
      cores: availableParallelism(),
    });
  });
});
