import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import { fromCount } from '../catalog/stored-values.js';
import type { LinkedSource, TableName } from './table.js';

/** A part of a table as it stands now, with the size of its file. */
export interface StoredPart {
  readonly table: TableName;
  readonly blob: string;
  readonly sizeBytes: number;
}

/** Lists what the tables of all accounts are kept in, for a check of the files. */
@Injectable()
export class StoredTablesRepository {
  constructor(private readonly catalog: Catalog) {}

  /** The parts of all tables, in batches. */
  async *listParts(batchSize = 500): AsyncGenerator<StoredPart> {
    for (let last = ''; ; ) {
      const rows = await this.catalog
        .selectFrom('table_parts')
        .innerJoin('tables', 'tables.id', 'table_parts.table_id')
        .innerJoin('accounts', 'accounts.id', 'tables.account_id')
        .select(['accounts.handle', 'tables.name', 'table_parts.blob', 'table_parts.size_bytes'])
        .where('table_parts.blob', '>', last)
        .orderBy('table_parts.blob')
        .limit(batchSize)
        .execute();
      for (const { handle, name, blob, size_bytes } of rows)
        yield { table: { namespace: handle, name }, blob, sizeBytes: fromCount(size_bytes) };
      if (rows.length < batchSize) return;
      last = rows.at(-1)?.blob ?? '';
    }
  }

  /** Whether a blob is a part of a table now. */
  async hasPart(blob: string): Promise<boolean> {
    const rows = await this.catalog.selectFrom('table_parts').select('blob').where('blob', '=', blob).execute();
    return rows.length > 0;
  }

  /** The linked tables of all accounts. */
  async listLinked(): Promise<{ table: TableName; source: LinkedSource }[]> {
    const rows = await this.catalog
      .selectFrom('tables')
      .innerJoin('accounts', 'accounts.id', 'tables.account_id')
      .select(['accounts.handle', 'tables.name', 'tables.source'])
      .where('tables.source', 'is not', null)
      .orderBy('tables.id')
      .execute();
    return rows.map(({ handle, name, source }) => ({
      table: { namespace: handle, name },
      source: JSON.parse(source ?? '{}') as LinkedSource,
    }));
  }
}
