import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import { toInstant } from '../catalog/stored-values.js';

/** Reads which blobs no table holds any more. */
@Injectable()
export class RemovedPartsRepository {
  constructor(private readonly catalog: Catalog) {}

  /** Blobs that were taken out of their tables before a time. */
  async list(before: Date): Promise<string[]> {
    const rows = await this.catalog
      .selectFrom('removed_parts')
      .select('blob')
      .where('removed_at', '<', toInstant(before))
      .execute();
    return rows.map(({ blob }) => blob);
  }

  /** Forgets a blob whose file is gone. */
  async forget(blob: string): Promise<void> {
    await this.catalog.deleteFrom('removed_parts').where('blob', '=', blob).execute();
  }

  /** Whether a table holds the blob, or held it. */
  async isKnown(blob: string): Promise<boolean> {
    const held = this.catalog.selectFrom('table_parts').select('blob').where('blob', '=', blob);
    const removed = this.catalog.selectFrom('removed_parts').select('blob').where('blob', '=', blob);
    return (await held.unionAll(removed).limit(1).execute()).length > 0;
  }
}
