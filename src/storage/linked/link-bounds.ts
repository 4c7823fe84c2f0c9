import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { Config } from '../../config/config.js';
import { LinkRefusedError } from './linked.errors.js';

/** Where linked files may lie, and where not: absolute folders, with no symbolic link in them. */
export interface LinkBounds {
  readonly roots: readonly string[];
  /** Folders of the service's own data, which hold the tables of all accounts. */
  readonly dataFolders: readonly string[];
}

/** What DATA_DIR holds; each can be a symbolic link to another disk. */
const DATA_PLACES = ['.', 'tables', 'results', 'runs', 'readers', 'staging'];

/** The folders of LINK_ROOTS, followed once: one that somebody puts a symbolic link in the place of later leads nowhere else. */
export class LinkRoots {
  readonly #real: Promise<readonly string[]>;

  constructor(private readonly config: Pick<Config, 'LINK_ROOTS' | 'DATA_DIR'>) {
    this.#real = toReal(config.LINK_ROOTS);
  }

  /** The bounds that the settings draw, with the folders of the service's own data as they lie now: they need not have been there before. */
  async findBounds(): Promise<LinkBounds> {
    const places = DATA_PLACES.map((place) => resolve(this.config.DATA_DIR, place));
    return { roots: await this.#real, dataFolders: [...new Set(await toReal(places))] };
  }
}

/**
 * The allowed folder that a file lies in.
 *
 * @param path absolute, with no symbolic link in it.
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
 * Refuses a folder that holds data of the service, even while no file there is of a format that can be linked.
 *
 * @throws LinkRefusedError
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
