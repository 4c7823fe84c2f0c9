import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import type { StoreName } from '../catalog/database.js';
import { toInstant } from '../catalog/stored-values.js';

/** Values that one statement takes: every SQL database has a limit. */
const BATCH = 300;

/** Reads and writes since when blobs are known to have no row in the catalog. */
@Injectable()
export class OrphansRepository {
  constructor(private readonly catalog: Catalog) {}

  /** When each orphan of a store was found, by its name. */
  async list(store: StoreName): Promise<Map<string, Date>> {
    const rows = await this.catalog
      .selectFrom('orphans')
      .select(['blob', 'found_at'])
      .where('store', '=', store)
      .execute();
    return new Map(rows.map(({ blob, found_at }) => [blob, new Date(found_at)]));
  }

  /** Notes blobs as found, unless they are noted already. */
  async note(store: StoreName, blobs: readonly string[], at: Date): Promise<void> {
    const found_at = toInstant(at);
    for (const batch of inBatches(blobs)) {
      await this.catalog
        .insertInto('orphans')
        .values(batch.map((blob) => ({ store, blob, found_at })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }

  /** Forgets blobs that are deleted, or that have a row after all. */
  async forget(store: StoreName, blobs: readonly string[]): Promise<void> {
    for (const batch of inBatches(blobs))
      await this.catalog.deleteFrom('orphans').where('store', '=', store).where('blob', 'in', batch).execute();
  }
}

function* inBatches<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += BATCH) yield all.slice(start, start + BATCH);
}
