import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { Config } from '../../config/config.js';
import { LinkRefusedError } from './linked.errors.js';

/** Folders that linked files may be in, and may not: absolute, without symbolic links. */
export interface LinkBounds {
  readonly roots: readonly string[];
  /** Folders of the service's own data, which hold the tables of all accounts. */
  readonly dataFolders: readonly string[];
}

/** The folders of DATA_DIR; each can be a symbolic link to another disk. */
const DATA_FOLDERS = ['.', 'tables', 'results', 'runs', 'readers', 'staging'];

/** The folders of LINK_ROOTS, resolved once: later symbolic links have no effect. */
export class LinkRoots {
  readonly #real: Promise<readonly string[]>;

  constructor(private readonly config: Pick<Config, 'LINK_ROOTS' | 'DATA_DIR'>) {
    this.#real = toReal(config.LINK_ROOTS);
  }

  /** The bounds of the settings. The service's own folders are resolved now: they may be new. */
  async findBounds(): Promise<LinkBounds> {
    const folders = DATA_FOLDERS.map((folder) => resolve(this.config.DATA_DIR, folder));
    return { roots: await this.#real, dataFolders: [...new Set(await toReal(folders))] };
  }
}

/**
 * The allowed folder that a file is in.
 *
 * @param path absolute, without symbolic links.
 * @throws LinkRefusedError if there is none, or if it is the service's own.
 */
export function getRoot(path: string, { roots, dataFolders }: LinkBounds): string {
  const root = roots.find((folder) => isInside(path, folder));
  if (root === undefined) throw new LinkRefusedError('a file lies outside the folders of LINK_ROOTS');
  if (dataFolders.some((folder) => isInside(path, folder)))
    throw new LinkRefusedError(
      'a file lies in the data folder of the service (DATA_DIR), with the tables of all accounts',
    );
  return root;
}

/**
 * @throws LinkRefusedError for a folder with data of the service, even without files to link.
 */
export async function refuseDataFolders(folder: string, { dataFolders }: LinkBounds): Promise<void> {
  const [real = folder] = await toReal([folder]);
  if (dataFolders.some((own) => own === real || isInside(own, real)))
    throw new LinkRefusedError(
      'the folder holds the data folder of the service (DATA_DIR), with the tables of all accounts',
    );
}

function toReal(paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
