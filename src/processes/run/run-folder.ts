import { access, copyFile, type FileHandle, link, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { isSameStamp, KnownScans, toStamp } from '../../storage/linked/linked-text.js';
import { linkOpenedFile } from './link-opened-file.js';
import type { FileReading, RunTable } from './run.js';
import type { KnownScan, LinkedTable } from './run-messages.js';
import { TableDataMissingError } from './table-data-missing-error.js';

/** A file in the folder. */
interface LinkedFile {
  readonly name: string;
  readonly known: KnownScan | undefined;
}

/** Files of one table that are open at the same time while they are linked. */
const FILES_AT_ONCE = 16;

/**
 * The private folder of one run: `in/` holds the parts of its tables, `out/` its result, `tmp/` what it spills. It is all of
 * the disk that the run can reach.
 */
export class RunFolder {
  #links = 0;
  /** What the links of the run lead to, where they lead to open files. */
  readonly #held: FileHandle[] = [];
  #linking: Promise<unknown> = Promise.resolve();

  private constructor(readonly path: string) {}

  static async create(runsFolder: string, executionId: string): Promise<RunFolder> {
    const folder = new RunFolder(await mkdtemp(join(runsFolder, `${executionId}-`)));
    await Promise.all(['in', 'out', 'tmp'].map((name) => mkdir(join(folder.path, name))));
    return folder;
  }

  /** Empties what an attempt has made, for the next attempt. */
  async clear(): Promise<void> {
    await this.#letGo();
    for (const name of ['in', 'out', 'tmp']) {
      await rm(join(this.path, name), { recursive: true, force: true });
      await mkdir(join(this.path, name));
    }
  }

  /**
   * Puts the parts of tables into the folder, where they stay even if the table is replaced meanwhile. Tables with linked files that may not be
   * read any more are left out.
   *
   * @throws TableDataMissingError if a part is gone.
   */
  async linkTables(tables: readonly RunTable[]): Promise<LinkedTable[]> {
    const linking = this.#linkTables(tables);
    this.#linking = linking.catch(() => {});
    return linking;
  }

  /** Only once nothing reads in the folder any more. */
  async remove(): Promise<void> {
    await this.#letGo();
    await rm(this.path, { recursive: true, force: true });
  }

  async #letGo(): Promise<void> {
    await this.#linking;
    await Promise.all(this.#held.splice(0).map((file) => file.close()));
  }

  async #linkTables(tables: readonly RunTable[]): Promise<LinkedTable[]> {
    const linked: LinkedTable[] = [];
    for (const { parts, reading, isPrivate: _isPrivate, isMissing, ...table } of tables) {
      if (isMissing) continue;
      if (reading) {
        const files = await this.#linkFiles(parts, reading);
        if (!files) continue;
        const scans = reading.text && { scans: files.map(({ known }) => known ?? null) };
        linked.push({ ...table, files: files.map(({ name }) => name), reading: forChild(reading), ...scans });
      } else {
        linked.push({ ...table, files: await settleAll(parts.map((part) => this.#linkPart(table, part))) });
      }
    }
    return linked;
  }

  /** Files that this service did not write, and others can change at any moment. Nothing if one may not be read any more. */
  async #linkFiles(paths: readonly string[], reading: FileReading): Promise<LinkedFile[] | undefined> {
    const files: LinkedFile[] = [];
    const scans = reading.text && new KnownScans(reading.text);
    for (let start = 0; start < paths.length; start += FILES_AT_ONCE) {
      const some = paths.slice(start, start + FILES_AT_ONCE);
      const linked = await settleAll(
        some.map((path, index) => this.#linkFile(path, reading.places[start + index] ?? '', reading, scans)),
      );
      const found = linked.filter((file) => file !== undefined);
      if (found.length < some.length) return undefined;
      files.push(...found);
    }
    return files;
  }

  async #linkFile(
    path: string,
    place: string,
    reading: FileReading,
    scans: KnownScans | undefined,
  ): Promise<LinkedFile | undefined> {
    const name = `in/${this.#links++}/${toNeutralPlace(place, reading)}`;
    const target = join(this.path, name);
    await mkdir(dirname(target), { recursive: true });
    const file = await reading.open(path);
    if (!file) return undefined;
    try {
      const before = toStamp(await file.stat({ bigint: true }));
      const isHeld = await linkOpenedFile(file, path, target);
      // A copy has a state of its own.
      const stamp = toStamp(await stat(target, { bigint: true }));
      const isSame = isSameStamp(before, toStamp(await file.stat({ bigint: true })));
      const scan = isSame ? scans?.find(path, before) : undefined;
      const known = scan && { scan, stamp };
      if (isHeld) this.#held.push(file);
      else await file.close();
      return { name, known };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async #linkPart(table: Pick<RunTable, 'namespace' | 'name'>, part: string): Promise<string> {
    const file = `in/${this.#links++}.parquet`;
    const target = join(this.path, file);
    // A hard link tells nothing of where the part is stored; it cannot cross file systems.
    await link(part, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && (await isGone(part))) throw new TableDataMissingError(table, part);
      if (error.code === 'ENOENT') throw error;
      await symlink(part, target).catch(() => copyFile(part, target));
    });
    return file;
  }
}

/** The folders that hold columns, and a file name that tells no more than how to read it: users see neither in errors nor in columns. */
function toNeutralPlace(place: string, { format, isHive }: FileReading): string {
  const folders = place.split(sep).slice(0, -1);
  const columns = isHive ? folders.filter((folder) => folder.includes('=')) : [];
  return join(...columns, `data.${format}${/\.gz$/i.test(place) ? '.gz' : ''}`);
}

async function isGone(path: string): Promise<boolean> {
  return access(path).then(
    () => false,
    () => true,
  );
}

/** Like `Promise.all`, but nothing goes on after it has failed. */
async function settleAll<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

function forChild({ places: _places, open: _open, text, ...reading }: FileReading): LinkedTable['reading'] {
  if (!text) return reading;
  const { layout, givenColumns } = text;
  return { ...reading, text: { givenColumns, ...(layout && { layout }) } };
}

/** Deletes what runs left behind when the server last ended without warning. Only before runs are started. */
export async function sweepRunFolders(runsFolder: string): Promise<void> {
  const names = await readdir(runsFolder).catch(() => []);
  await Promise.all(names.map((name) => rm(join(runsFolder, name), { recursive: true, force: true })));
}
