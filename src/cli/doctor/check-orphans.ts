import type { Catalog } from '../../catalog/catalog.js';
import { DataFolderLock } from '../../catalog/data-folder-lock.js';
import type { Config } from '../../config/config.js';
import { ExecutionsRepository } from '../../executions/executions.repository.js';
import { openResultStore, openTableStore } from '../../storage/storage.module.js';
import { findOrphans, type SweptStore } from '../../sweep/orphan-sweep.js';
import { OrphansRepository } from '../../sweep/orphans.repository.js';
import { ORPHAN_AGE_MS } from '../../sweep/result-sweep.js';
import { GRACE_MS } from '../../sweep/table-sweep.js';
import { RemovedPartsRepository } from '../../uploads/removed-parts.repository.js';
import { countOf, type DoctorOptions, ProblemsError } from './check.js';

/** Whether every stored file has a row in the catalog, or is on the list that the sweep deletes. */
export async function checkOrphans(catalog: Catalog, config: Config, { repair }: DoctorOptions): Promise<string> {
  const list = new OrphansRepository(catalog);
  const unlisted: string[] = [];
  let listedCount = 0;
  for (const { ageMs, ...store } of storesOf(catalog, config)) {
    // A server may be about to commit the rows of files that it has just stored.
    const writtenBefore = Date.now() - (DataFolderLock.isTaken(config.DATA_DIR) ? ageMs : 0);
    const listed = await list.list(store.name);
    const orphans = await findOrphans(store, new Date(writtenBefore), listed);
    const found = orphans.filter((blob) => !listed.has(blob));
    if (repair) await list.note(store.name, found, new Date());
    listedCount += orphans.length - found.length;
    unlisted.push(...found.map((blob) => `${store.name}/${blob} has no row in the catalog`));
  }
  if (unlisted.length > 0 && !repair) throw new ProblemsError(unlisted);
  if (unlisted.length > 0) return `listed ${countOf(unlisted.length, 'file')} without a row for the sweep`;
  const waiting =
    listedCount === 0 ? '' : `, except ${countOf(listedCount, 'file')} that the sweep deletes after ORPHAN_GRACE`;
  return `all stored files have a row in the catalog${waiting}`;
}

function storesOf(catalog: Catalog, config: Config): (SweptStore & { readonly ageMs: number })[] {
  const executions = new ExecutionsRepository(catalog);
  const parts = new RemovedPartsRepository(catalog);
  return [
    {
      name: 'results',
      blobs: openResultStore(config),
      isKnown: (file) => executions.isResultFile(file),
      ageMs: ORPHAN_AGE_MS,
    },
    { name: 'tables', blobs: openTableStore(config), isKnown: (blob) => parts.isKnown(blob), ageMs: GRACE_MS },
  ];
}
