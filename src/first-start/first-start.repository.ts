import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import { toInstant } from '../catalog/stored-values.js';

/** Whether the first start of a data folder has begun and ended, in the catalog. */
@Injectable()
export class FirstStartRepository {
  constructor(private readonly catalog: Catalog) {}

  /** Notes the beginning, unless it is noted already. */
  async begin(handle: string, at: Date): Promise<void> {
    await this.catalog
      .insertInto('first_starts')
      .values({ handle, begun_at: toInstant(at), ended_at: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Finds the account that a first start makes which has begun and not ended. */
  async findUnfinished(): Promise<string | undefined> {
    const row = await this.catalog
      .selectFrom('first_starts')
      .select('handle')
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    return row?.handle;
  }

  async end(handle: string, at: Date): Promise<void> {
    await this.catalog
      .updateTable('first_starts')
      .set({ ended_at: toInstant(at) })
      .where('handle', '=', handle)
      .execute();
  }
}
