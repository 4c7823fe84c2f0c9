import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import { fromCount } from '../catalog/stored-values.js';
import type { LinkedSource, TableName } from './table.js';

/** A part of a table as it stands now, with the size of its file. */
export interface StoredPart {
  readonly table: TableName;
  readonly blob: string;
  readonly sizeBytes: number;
  readonly rowCount: number;
}

/** What the versions of a table and of its parts are. */
export interface TableVersions {
  readonly table: TableName;
  readonly version: number;
  readonly isLinked: boolean;
  readonly partCount: number;
  /** The version of the table if it has no parts. */
  readonly newestPart: number;
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
        .select([
          'accounts.handle',
          'tables.name',
          'table_parts.blob',
          'table_parts.size_bytes',
          'table_parts.row_count',
        ])
        .where('table_parts.blob', '>', last)
        .orderBy('table_parts.blob')
        .limit(batchSize)
        .execute();
      for (const { handle, name, blob, size_bytes, row_count } of rows) {
        const counts = { sizeBytes: fromCount(size_bytes), rowCount: fromCount(row_count) };
        yield { table: { namespace: handle, name }, blob, ...counts };
      }
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

  /** Every table, with the number of its parts and the newest version that one of them is of. */
  async listVersions(): Promise<TableVersions[]> {
    const rows = await this.catalog
      .selectFrom('tables')
      .innerJoin('accounts', 'accounts.id', 'tables.account_id')
      .leftJoin('table_parts', 'table_parts.table_id', 'tables.id')
      .select(['accounts.handle', 'tables.name', 'tables.version', 'tables.source'])
      .select(({ fn }) => [
        fn.count('table_parts.blob').as('count'),
        fn.coalesce(fn.max('table_parts.version'), 'tables.version').as('newest'),
      ])
      .groupBy(['tables.id', 'accounts.handle', 'tables.name', 'tables.version', 'tables.source'])
      .orderBy('accounts.handle')
      .orderBy('tables.name')
      .execute();
    return rows.map(({ handle, name, version, source, count, newest }) => ({
      table: { namespace: handle, name },
      version,
      isLinked: source !== null,
      partCount: fromCount(count),
      newestPart: newest,
    }));
  }

  /** Blobs that are parts of a table, and marked as removed from one. */
  async listBothPartAndRemoved(): Promise<string[]> {
    const rows = await this.catalog
      .selectFrom('table_parts')
      .innerJoin('removed_parts', 'removed_parts.blob', 'table_parts.blob')
      .select('table_parts.blob')
      .orderBy('table_parts.blob')
      .execute();
    return rows.map(({ blob }) => blob);
  }
}
