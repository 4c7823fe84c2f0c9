import { glob, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { findRealPath } from './find-real-path.js';
import { getRoot, type LinkBounds, refuseDataFolders } from './link-bounds.js';
import { LinkRefusedError } from './linked.errors.js';
import type { LinkedFormat } from './linked-format.js';

/** A file that a linked table is made of. */
export interface LinkedFile {
  /** Absolute, with no symbolic link in it. */
  readonly path: string;
  /** The same from the allowed folder on; its folders can be named `key=value`. */
  readonly place: string;
}

/** The files that a pattern finds. */
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
 * Finds the data files that a path, a folder or a glob stands for, in the order of their names. Hidden files and files of other kinds are
 * passed over.
 *
 * @throws LinkRefusedError if there are none, if they are of different formats, or if one lies outside the allowed folders, be it behind a
 *   symbolic link, or in the data folder of the service.
 */
export async function findLinkedFiles(pattern: string, bounds: LinkBounds): Promise<LinkedFiles> {
  await refuseDataFolders(pattern, bounds);
  const files = new Map<string, LinkedFile>();
  for (const path of (await expand(pattern)).toSorted()) {
    const real = await findRealPath(path);
    if (real !== undefined) files.set(real, { path: real, place: relative(getRoot(real, bounds), real) });
  }
  const found = [...files.values()];
  return { format: formatOf(found), files: found, isHive: isHive(found) };
}

async function expand(pattern: string): Promise<string[]> {
  const found = await stat(pattern).catch(() => undefined);
  if (found?.isFile()) return [pattern];
  const paths: string[] = [];
  // Of a folder, only what is in it is looked for: its own name may look like a glob.
  const [inside, options] = found?.isDirectory() ? ['**/*', { cwd: resolve(pattern) }] : [pattern, {}];
  for await (const entry of glob(inside, { ...options, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (isData(entry.name) && (await isFile(path))) paths.push(path);
  }
  return paths;
}

/** A file can go at any time, and a symbolic link can lead nowhere. */
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

/** True if all files lie in folders with the same keys. */
function isHive(files: readonly LinkedFile[]): boolean {
  const keys = new Set(files.map(({ place }) => hiveKeys(place).join('/')));
  return keys.size === 1 && !keys.has('');
}

/** The names of the columns that the folders of a file hold. */
function hiveKeys(place: string): string[] {
  return place
    .split(sep)
    .slice(0, -1)
    .flatMap((folder) => /^([^=]+)=/.exec(folder)?.[1] ?? []);
}

/** The names of the columns that stand in the names of the folders. */
export function partitionNames({ files, isHive }: Pick<LinkedFiles, 'files' | 'isHive'>): string[] {
  return isHive ? hiveKeys(files[0]?.place ?? '') : [];
}

/** The value of a column that stands in the names of a file's folders; nothing for NULL. */
export function partitionValue({ place }: LinkedFile, name: string): string | undefined {
  const folder = place.split(sep).find((one) => one.startsWith(`${name}=`)) ?? '';
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
