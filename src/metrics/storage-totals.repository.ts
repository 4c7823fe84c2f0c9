import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';

/** How many bytes are stored, of all accounts together. */
@Injectable()
export class StorageTotalsRepository {
  constructor(private readonly catalog: Catalog) {}

  async sumResults(): Promise<number> {
    const { bytes } = await this.catalog
      .selectFrom('accounts')
      .select(({ fn }) => fn.sum<number | null>('result_bytes').as('bytes'))
      .executeTakeFirstOrThrow();
    return Number(bytes ?? 0);
  }

  async sumTables(): Promise<number> {
    const { bytes } = await this.catalog
      .selectFrom('table_parts')
      .select(({ fn }) => fn.sum<number | null>('size_bytes').as('bytes'))
      .executeTakeFirstOrThrow();
    return Number(bytes ?? 0);
  }
}
