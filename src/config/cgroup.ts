import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the cgroups of this process leave it; `Infinity` where nothing is limited. */
export interface CgroupLimits {
  readonly memoryBytes: number;
  /** Processors' worth of time, such as 1.5. */
  readonly cores: number;
}

/** Where one hierarchy of cgroups can be seen. */
interface Mount {
  /**
   * The controllers that it has; none names those of version 2, which has one hierarchy for
   * all.
   */
  readonly controllers: readonly string[];
  /** The cgroup that is mounted. */
  readonly top: string;
  readonly folder: string;
}

/**
 * Reads the cgroup limits of this process, versions 1 and 2. A limit holds for all cgroups below
 * the one that has it, so the least on the way up counts. Node 24 does not report the same: with
 * version 1, `process.constrainedMemory()` misses the limit of a parent cgroup and
 * `os.availableParallelism()` ignores quotas of processor time.
 *
 * @param root where the file system begins.
 */
export function readCgroupLimits(root = '/'): CgroupLimits {
  const mounts = readLines(join(root, 'proc/self/mountinfo')).flatMap(toMount);
  const folders = readLines(join(root, 'proc/self/cgroup')).flatMap((line) => {
    const [, controllers = '', path = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    const own = controllers.split(',').filter((name) => name !== '');
    const mine = mounts.filter((mount) => isSameHierarchy(mount.controllers, own));
    return mine.flatMap((mount) => upwards(relativeTo(mount.top, path)).map((each) => join(root, mount.folder, each)));
  });
  return {
    memoryBytes: Math.min(...folders.map(readMemoryLimit), Number.POSITIVE_INFINITY),
    cores: Math.min(...folders.map(readCpuLimit), Number.POSITIVE_INFINITY),
  };
}

/** The form of a line is that of `proc_pid_mountinfo(5)`. */
function toMount(line: string): Mount[] {
  const [, top = '', folder = '', type = '', options = ''] =
    /^\d+ \d+ \S+ (\S+) (\S+) .*? - (cgroup2?) \S+ (\S+)$/.exec(line) ?? [];
  if (type === '') return [];
  return [{ controllers: type === 'cgroup' ? options.split(',') : [], top: unescaped(top), folder: unescaped(folder) }];
}

/** Spaces and the like are written in octal. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

function isSameHierarchy(mounted: readonly string[], own: readonly string[]): boolean {
  return own.length === 0 ? mounted.length === 0 : own.some((name) => mounted.includes(name));
}

function relativeTo(top: string, path: string): string {
  return join('/', path === top || path.startsWith(`${top}/`) ? path.slice(top.length) : path);
}

/** A path and all that it lies in. */
function upwards(path: string): string[] {
  return path === '/' ? [path] : [path, ...upwards(dirname(path))];
}

function readMemoryLimit(folder: string): number {
  return Math.min(...['memory.max', 'memory.limit_in_bytes'].map((name) => toLimit(readLines(join(folder, name))[0])));
}

function readCpuLimit(folder: string): number {
  const [quota, period] = (readLines(join(folder, 'cpu.max'))[0] ?? '').split(' ');
  const [quota1] = readLines(join(folder, 'cpu.cfs_quota_us'));
  const [period1] = readLines(join(folder, 'cpu.cfs_period_us'));
  return Math.min(toLimit(quota) / Number(period ?? 1), toLimit(quota1) / Number(period1 ?? 1));
}

/** Limits are written as positive numbers; `max`, -1 and a missing file are none. */
function toLimit(text = ''): number {
  return Number(text) > 0 ? Number(text) : Number.POSITIVE_INFINITY;
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').trimEnd().split('\n');
  } catch {
    // Not every system has every file.
    return [];
  }
}
