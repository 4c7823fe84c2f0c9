import { copyFile, link, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileReading, RunTable } from '../engine.js';
import type { LinkedTable } from './run-messages.js';

/**
 * The private folder of one run: `in/` holds the parts of its tables, `out/` its result, `tmp/` what it spills. It is all of
 * the disk that the run can reach.
 */
export class RunFolder {
  #links = 0;

  private constructor(readonly path: string) {}

  static async create(runsFolder: string, executionId: string): Promise<RunFolder> {
    const folder = new RunFolder(await mkdtemp(join(runsFolder, `${executionId}-`)));
    await Promise.all(['in', 'out', 'tmp'].map((name) => mkdir(join(folder.path, name))));
    return folder;
  }

  /** Empties what an attempt has made, for the next attempt. */
  async clear(): Promise<void> {
    for (const name of ['in', 'out', 'tmp']) {
      await rm(join(this.path, name), { recursive: true, force: true });
      await mkdir(join(this.path, name));
    }
  }

  /** Puts the parts of tables into the folder, where they stay even if the table is replaced meanwhile. */
  async linkTables(tables: readonly RunTable[]): Promise<LinkedTable[]> {
    const linked: LinkedTable[] = [];
    for (const { parts, reading, isPrivate: _isPrivate, ...table } of tables) {
      const files = await Promise.all(parts.map((part, index) => this.#linkPart(part, reading?.places[index])));
      linked.push({ ...table, files, reading: reading && withoutPlaces(reading) });
    }
    return linked;
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  async #linkPart(part: string, place: string | undefined): Promise<string> {
    const number = this.#links++;
    const file = place === undefined ? `in/${number}.parquet` : `in/${number}/${place}`;
    const target = join(this.path, file);
    if (place !== undefined) await mkdir(dirname(target), { recursive: true });
    // A hard link tells nothing of where the part is stored; it cannot cross file systems.
    await link(part, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw error;
      await symlink(part, target).catch(() => copyFile(part, target));
    });
    return file;
  }
}

function withoutPlaces({ format, isHive, columns }: FileReading): Omit<FileReading, 'places'> {
  return { format, isHive, columns };
}

/** Deletes what runs left behind when the server last ended without warning. Only before runs are started. */
export async function sweepRunFolders(runsFolder: string): Promise<void> {
  const names = await readdir(runsFolder).catch(() => []);
  await Promise.all(names.map((name) => rm(join(runsFolder, name), { recursive: true, force: true })));
}
