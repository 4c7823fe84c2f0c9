import { access, copyFile, type FileHandle, link, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { failpoint } from '../../config/failpoint.js';
import { isSameStamp, KnownScans, toStamp } from '../../storage/linked/linked-text.js';
import { linkOpenedFile } from './link-opened-file.js';
import type { FileReading, RunTable } from './run.js';
import type { ChildTable, KnownScan } from './run-messages.js';
import { TableDataMissingError } from './table-data-missing-error.js';

/** A file in the folder. */
interface LinkedFile {
  readonly name: string;
  readonly known: KnownScan | undefined;
}

/** Files of one table that are open at the same time while they are linked. */
const FILES_AT_ONCE = 16;

/**
 * The private folder of one run: `in/` has the parts of its tables, `out/` its result, `tmp/` what
 * it spills. The run can reach no other part of the disk.
 */
export class RunFolder {
  #links = 0;
  /** Files that stay open because links of the run lead to them. */
  readonly #openFiles: FileHandle[] = [];
  #linking: Promise<unknown> = Promise.resolve();

  private constructor(readonly path: string) {}

  static async create(runsFolder: string, executionId: string): Promise<RunFolder> {
    await failpoint('run-folder');
    const folder = new RunFolder(await mkdtemp(join(runsFolder, `${executionId}-`)));
    await Promise.all(['in', 'out', 'tmp'].map((name) => mkdir(join(folder.path, name))));
    return folder;
  }

  /** Deletes the files of an attempt, before the next one. */
  async clear(): Promise<void> {
    await this.#closeFiles();
    for (const name of ['in', 'out', 'tmp']) {
      await rm(join(this.path, name), { recursive: true, force: true });
      await mkdir(join(this.path, name));
    }
  }

  /**
   * Links the parts of tables into the folder, where they stay even if the table is replaced.
   * Tables are left out if the service may not read their linked files any more.
   *
   * @throws TableDataMissingError if a part is gone.
   */
  async linkTables(tables: readonly RunTable[]): Promise<ChildTable[]> {
    const linking = this.#linkTables(tables);
    this.#linking = linking.catch(() => {});
    return linking;
  }

  /** Deletes the folder. No process may read in it any more. */
  async remove(): Promise<void> {
    await this.#closeFiles();
    await failpoint('run-folder-delete');
    await rm(this.path, { recursive: true, force: true });
  }

  async #closeFiles(): Promise<void> {
    await this.#linking;
    await Promise.all(this.#openFiles.splice(0).map((file) => file.close()));
  }

  async #linkTables(tables: readonly RunTable[]): Promise<ChildTable[]> {
    const linked: ChildTable[] = [];
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

  /** Links files of the operator, which can change at any moment. Nothing if one cannot be read. */
  async #linkFiles(paths: readonly string[], reading: FileReading): Promise<LinkedFile[] | undefined> {
    const files: LinkedFile[] = [];
    const scans = reading.text && new KnownScans(reading.text);
    for (let start = 0; start < paths.length; start += FILES_AT_ONCE) {
      const some = paths.slice(start, start + FILES_AT_ONCE);
      const linked = await settleAll(
        some.map((path, index) => this.#linkFile(path, reading.relativePaths[start + index] ?? '', reading, scans)),
      );
      const found = linked.filter((file) => file !== undefined);
      if (found.length < some.length) return undefined;
      files.push(...found);
    }
    return files;
  }

  async #linkFile(
    path: string,
    relativePath: string,
    reading: FileReading,
    scans: KnownScans | undefined,
  ): Promise<LinkedFile | undefined> {
    const name = `in/${this.#links++}/${toNeutralPath(relativePath, reading)}`;
    const target = join(this.path, name);
    await mkdir(dirname(target), { recursive: true });
    const file = await reading.open(path);
    if (!file) return undefined;
    try {
      const before = toStamp(await file.stat({ bigint: true }));
      const mustStayOpen = await linkOpenedFile(file, path, target);
      // A copy has a state of its own.
      const stamp = toStamp(await stat(target, { bigint: true }));
      const isSame = isSameStamp(before, toStamp(await file.stat({ bigint: true })));
      const scan = isSame ? scans?.find(path, before) : undefined;
      const known = scan && { scan, stamp };
      if (mustStayOpen) this.#openFiles.push(file);
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
    await failpoint('part-link');
    // A hard link does not show where the part is stored; it cannot cross file systems.
    await link(part, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && (await isGone(part))) throw new TableDataMissingError(table, part);
      if (error.code === 'ENOENT') throw error;
      await symlink(part, target).catch(() => copyFile(part, target));
    });
    return file;
  }
}

/**
 * The folders that are columns, and a neutral file name: users see both in errors and in columns.
 */
function toNeutralPath(relativePath: string, { format, isHive }: FileReading): string {
  const folders = relativePath.split(sep).slice(0, -1);
  const columns = isHive ? folders.filter((folder) => folder.includes('=')) : [];
  return join(...columns, `data.${format}${/\.gz$/i.test(relativePath) ? '.gz' : ''}`);
}

async function isGone(path: string): Promise<boolean> {
  return access(path).then(
    () => false,
    () => true,
  );
}

/** Like `Promise.all`, but all have settled when it rejects. */
async function settleAll<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

function forChild({
  relativePaths: _relativePaths,
  open: _open,
  text,
  ...reading
}: FileReading): ChildTable['reading'] {
  if (!text) return reading;
  const { layout, givenColumns } = text;
  return { ...reading, text: { givenColumns, ...(layout && { layout }) } };
}

/** Deletes the folders of runs that the last server did not end. Only before runs are started. */
export async function sweepRunFolders(runsFolder: string): Promise<void> {
  const names = await readdir(runsFolder).catch(() => []);
  await Promise.all(names.map((name) => rm(join(runsFolder, name), { recursive: true, force: true })));
}
