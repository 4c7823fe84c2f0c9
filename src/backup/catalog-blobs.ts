import type { Catalog } from '../catalog/catalog.js';
import type { StoreName } from '../catalog/database.js';
import { ResultFilesRepository } from '../results/result-files.repository.js';
import type { BlobStore } from '../storage/blob-store.js';
import { openResultStore, openTableStore } from '../storage/storage.module.js';
import { StoredTablesRepository } from '../uploads/stored-tables.repository.js';
import { toFullName } from '../uploads/table.js';
import type { LinkedTableNote } from './backup-manifest.js';

/** A blob that a catalog refers to. */
export interface CatalogBlob {
  readonly store: StoreName;
  readonly name: string;
  /** As the catalog has it. */
  readonly sizeBytes: number;
  /** Whether a catalog still refers to it. */
  readonly isIn: (catalog: Catalog) => Promise<boolean>;
}

/** The stores of blobs of a data folder, or of a backup. */
export type BlobStores = Readonly<Record<StoreName, BlobStore>>;

/** Opens the stores of a data folder; a backup has them in the same places. */
export function openStores(folder: string): BlobStores {
  return { results: openResultStore({ DATA_DIR: folder }), tables: openTableStore({ DATA_DIR: folder }) };
}

/** Every stored result, and every part of a table as it stands now. */
export async function listBlobs(catalog: Catalog): Promise<CatalogBlob[]> {
  const blobs: CatalogBlob[] = [];
  for await (const { executionId, file, sizeBytes } of new ResultFilesRepository(catalog).list()) {
    const isIn = (other: Catalog) => new ResultFilesRepository(other).isStored(executionId);
    blobs.push({ store: 'results', name: file, sizeBytes, isIn });
  }
  for await (const { blob, sizeBytes } of new StoredTablesRepository(catalog).listParts()) {
    const isIn = (other: Catalog) => new StoredTablesRepository(other).hasPart(blob);
    blobs.push({ store: 'tables', name: blob, sizeBytes, isIn });
  }
  return blobs;
}

/** The tables whose files are outside the data folder. */
export async function listLinkedTables(catalog: Catalog): Promise<LinkedTableNote[]> {
  const linked = await new StoredTablesRepository(catalog).listLinked();
  return linked.map(({ table, source }) => ({ table: toFullName(table), pattern: source.pattern }));
}
