import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Config } from '../config/config.js';
import { LinkRefusedError } from './uploads.errors.js';

/** Where linked files may lie: absolute folders, with no symbolic link in them. */
export interface LinkBounds {
  readonly roots: readonly string[];
}

/** The bounds that the settings draw, as the disk is now. */
export async function findLinkBounds({ LINK_ROOTS }: Pick<Config, 'LINK_ROOTS'>): Promise<LinkBounds> {
  return { roots: await Promise.all(LINK_ROOTS.map((root) => realpath(root).catch(() => root))) };
}

/**
 * The allowed folder that a file lies in.
 *
 * @param path absolute, with no symbolic link in it.
 * @throws LinkRefusedError if there is none.
 */
export function getRoot(path: string, { roots }: LinkBounds): string {
  const root = roots.find((folder) => isInside(path, folder));
  if (root === undefined) throw new LinkRefusedError('a file lies outside the folders of LINK_ROOTS');
  return root;
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
