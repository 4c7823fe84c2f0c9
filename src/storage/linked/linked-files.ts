import { glob, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { findRealPath } from './find-real-path.js';
import { getRoot, type LinkBounds, refuseDataFolders } from './link-bounds.js';
import { LinkRefusedError } from './linked.errors.js';
import type { LinkedFormat } from './linked-format.js';

/** A file of a linked table. */
export interface LinkedFile {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** The path from the allowed folder; its folders can be named `key=value`. */
  readonly relativePath: string;
}

/** The files of a pattern. */
export interface LinkedFiles {
  readonly format: LinkedFormat;
  readonly files: readonly LinkedFile[];
  /** Whether the names of the folders hold columns, as in `year=2026/month=3`. */
  readonly isHive: boolean;
}

/** How the name of a folder writes NULL. */
const NULL_PARTITION = '__HIVE_DEFAULT_PARTITION__';

const FORMATS: readonly (readonly [RegExp, LinkedFormat])[] = [
  [/\.parquet$/i, 'parquet'],
  [/\.(csv|tsv)(\.gz)?$/i, 'csv'],
  [/\.(ndjson|jsonl)(\.gz)?$/i, 'ndjson'],
];

/**
 * Finds the data files of a path, a folder or a glob, in the order of their names, without hidden
 * files.
 *
 * @throws LinkRefusedError if there are none or several formats, or if one is outside the bounds,
 *   also through a symbolic link.
 */
export async function findLinkedFiles(pattern: string, bounds: LinkBounds): Promise<LinkedFiles> {
  await refuseDataFolders(pattern, bounds);
  const files = new Map<string, LinkedFile>();
  for (const path of (await expand(pattern)).toSorted()) {
    const real = await findRealPath(path);
    if (real !== undefined) files.set(real, { path: real, relativePath: relative(getRoot(real, bounds), real) });
  }
  const found = [...files.values()];
  return { format: formatOf(found), files: found, isHive: isHive(found) };
}

async function expand(pattern: string): Promise<string[]> {
  const found = await stat(pattern).catch(() => undefined);
  if (found?.isFile()) return [pattern];
  const paths: string[] = [];
  // The name of a folder may look like a glob.
  const [inside, options] = found?.isDirectory() ? ['**/*', { cwd: resolve(pattern) }] : [pattern, {}];
  for await (const entry of glob(inside, { ...options, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (isData(entry.name) && (await isFile(path))) paths.push(path);
  }
  return paths;
}

/** A file can vanish at any time, and a symbolic link can lead nowhere. */
async function isFile(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? false;
}

function isData(name: string): boolean {
  return !/^[._]/.test(name) && findFormat(name) !== undefined;
}

function findFormat(name: string): LinkedFormat | undefined {
  return FORMATS.find(([ending]) => ending.test(name))?.[1];
}

function formatOf(files: readonly LinkedFile[]): LinkedFormat {
  const formats = new Set(files.map(({ path }) => findFormat(basename(path))));
  const [format] = formats;
  if (format === undefined) throw new LinkRefusedError('there are no Parquet, CSV or NDJSON files there');
  if (formats.size > 1) throw new LinkRefusedError('the files are of different formats');
  return format;
}

/** Whether all files are in folders with the same keys. */
function isHive(files: readonly LinkedFile[]): boolean {
  const keys = new Set(files.map(({ relativePath }) => hiveKeys(relativePath).join('/')));
  return keys.size === 1 && !keys.has('');
}

/** The names of the columns in the folders of a file. */
function hiveKeys(relativePath: string): string[] {
  return relativePath
    .split(sep)
    .slice(0, -1)
    .flatMap((folder) => /^([^=]+)=/.exec(folder)?.[1] ?? []);
}

/** The names of the columns in the names of the folders. */
export function partitionNames({ files, isHive }: Pick<LinkedFiles, 'files' | 'isHive'>): string[] {
  return isHive ? hiveKeys(files[0]?.relativePath ?? '') : [];
}

/** The value of a column in the names of a file's folders; nothing for NULL. */
export function partitionValue({ relativePath }: LinkedFile, name: string): string | undefined {
  const folder = relativePath.split(sep).find((one) => one.startsWith(`${name}=`)) ?? '';
  const value = decoded(folder.slice(name.length + 1));
  return value === NULL_PARTITION ? undefined : value;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
