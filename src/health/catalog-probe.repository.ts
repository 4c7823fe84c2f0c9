import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import { toInstant } from '../catalog/stored-values.js';
import { Clock } from '../config/clock.js';

/** The name of a row that is never seen: the transaction that inserts it deletes it. */
const PROBE = { store: 'results', blob: 'health-probe' } as const;

/** Finds out whether the catalog can be read and written. */
@Injectable()
export class CatalogProbeRepository {
  constructor(
    private readonly catalog: Catalog,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<void> {
    await this.catalog.selectFrom('accounts').select('id').limit(1).execute();
  }

  /** Writes to the disk, and leaves nothing. */
  async write(): Promise<void> {
    const found_at = toInstant(this.clock.now());
    await this.catalog.inTransaction(async (transaction) => {
      await transaction
        .insertInto('orphans')
        .values({ ...PROBE, found_at })
        .execute();
      await transaction.deleteFrom('orphans').where('store', '=', PROBE.store).where('blob', '=', PROBE.blob).execute();
    });
  }
}
