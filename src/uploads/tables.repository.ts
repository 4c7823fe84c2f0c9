import { Injectable } from '@nestjs/common';
import type { ExpressionBuilder } from 'kysely';
import { type ListFilter, OWN } from '../auth/list-scope.js';
import { Catalog } from '../catalog/catalog.js';
import type { Database, Row } from '../catalog/database.js';
import type { AccountId } from '../catalog/ids.js';
import { isLike, toSearchPatterns } from '../catalog/search-text.js';
import { fromCount } from '../catalog/stored-values.js';
import type { ListPage } from '../http/list-page.js';
import type { TableColumn } from '../types/table-column.js';
import type { LinkedSource, ListedTable, Table, TableName, TablePart } from './table.js';

/** Some of the tables that an account may see. */
export interface TablePage {
  readonly tables: readonly ListedTable[];
  /** Where the next page begins, if there is one. */
  readonly nextOffset?: number;
}

/** Reads tables and their parts from the catalog. */
@Injectable()
export class TablesRepository {
  constructor(private readonly catalog: Catalog) {}

  /** Finds a table as it is now, by one consistent statement. */
  async find({ namespace, name }: TableName): Promise<Table | undefined> {
    const rows = await this.tables()
      .leftJoin('table_parts', 'table_parts.table_id', 'tables.id')
      .select(['table_parts.blob', 'table_parts.row_count', 'table_parts.size_bytes'])
      .where('accounts.handle', '=', namespace)
      .where('tables.name', '=', name)
      .orderBy('table_parts.version')
      .orderBy('table_parts.position')
      .execute();
    const [first] = rows;
    return first && { ...toTable(first), parts: rows.flatMap(toParts) };
  }

  /** Names of the tables that an account may see, its own and the public ones of others. */
  async listVisibleNames(accountId: AccountId, limit: number): Promise<TableName[]> {
    const rows = await this.catalog
      .selectFrom('tables')
      .innerJoin('accounts', 'accounts.id', 'tables.account_id')
      .select(['accounts.handle', 'tables.name'])
      .where((table) => table.or([table('tables.account_id', '=', accountId), table('tables.is_private', '=', 0)]))
      .orderBy('tables.name')
      .limit(limit)
      .execute();
    return rows.map(({ handle, name }) => ({ namespace: handle, name }));
  }

  /** The parts of a table, in the order of their rows; none if there is no such table any more. */
  async listParts(id: string): Promise<TablePart[]> {
    const rows = await this.catalog
      .selectFrom('table_parts')
      .select(['blob', 'row_count', 'size_bytes'])
      .where('table_id', '=', id)
      .orderBy('version')
      .orderBy('position')
      .execute();
    return rows.flatMap(toParts);
  }

  /** The tables that have so many parts of less than so many bytes. */
  async listFragmented(minParts: number, smallBytes: number): Promise<Pick<Table, 'id' | 'columns'>[]> {
    const rows = await this.catalog
      .selectFrom('tables')
      .innerJoin('table_parts', 'table_parts.table_id', 'tables.id')
      .select(['tables.id', 'tables.columns'])
      .where('table_parts.size_bytes', '<', smallBytes)
      .groupBy(['tables.id', 'tables.columns'])
      .having(({ fn }) => fn.countAll(), '>=', minParts)
      .execute();
    return rows.map(({ id, columns }) => ({ id, columns: JSON.parse(columns) as TableColumn[] }));
  }

  /** One page of the tables that an account may see, by full name. */
  async list(accountId: AccountId, { limit, offset }: ListPage, filter: ListFilter = OWN): Promise<TablePage> {
    const rows = await this.tables()
      .select(['accounts.type as owner_type', 'tables.created_at', 'tables.updated_at'])
      .select((table) => {
        const parts = table.selectFrom('table_parts').whereRef('table_parts.table_id', '=', 'tables.id');
        return [
          parts.select(({ fn }) => fn.sum('row_count').as('sum')).as('row_count'),
          parts.select(({ fn }) => fn.sum('size_bytes').as('sum')).as('size_bytes'),
        ];
      })
      .where((table) => matching(table, accountId, filter))
      .orderBy('accounts.handle')
      .orderBy('tables.name')
      .limit(limit + 1)
      .offset(offset)
      .execute();
    const tables = rows.slice(0, limit).map(
      (row): ListedTable => ({
        ...toTable(row),
        ownerType: row.owner_type,
        rowCount: fromCount(row.row_count),
        sizeBytes: fromCount(row.size_bytes),
        createdAt: new Date(row.created_at),
        updatedAt: new Date(row.updated_at),
      }),
    );
    return { tables, nextOffset: rows.length > limit ? offset + limit : undefined };
  }

  private tables() {
    return this.catalog
      .selectFrom('tables')
      .innerJoin('accounts', 'accounts.id', 'tables.account_id')
      .select(['tables.id', 'tables.account_id', 'tables.name', 'tables.description', 'tables.is_private'])
      .select(['tables.columns', 'tables.source', 'accounts.handle']);
  }
}

function matching(
  table: ExpressionBuilder<Database, 'tables'>,
  accountId: AccountId,
  { scope, search = '' }: ListFilter,
) {
  const isOwn = table('tables.account_id', '=', accountId);
  const isPublic = table.and([table('tables.account_id', '<>', accountId), table('tables.is_private', '=', 0)]);
  const isInScope = { own: isOwn, public: isPublic, all: table.or([isOwn, isPublic]) }[scope];
  return table.and([isInScope, ...toSearchPatterns(search).map((pattern) => isLike('tables.search_text', pattern))]);
}

type TableRow = Omit<Row<'tables'>, 'version' | 'created_at' | 'updated_at' | 'search_text'> & { handle: string };

function toTable(row: TableRow): Omit<Table, 'parts'> {
  return {
    id: row.id,
    accountId: row.account_id,
    namespace: row.handle,
    name: row.name,
    description: row.description,
    isPrivate: row.is_private === 1,
    columns: JSON.parse(row.columns) as TableColumn[],
    source: row.source === null ? undefined : (JSON.parse(row.source) as LinkedSource),
  };
}

type PartRow = { [column in 'blob' | 'row_count' | 'size_bytes']: Row<'table_parts'>[column] | null };

/** A table without parts comes out of the join as one row of nulls. */
function toParts({ blob, row_count, size_bytes }: PartRow): TablePart[] {
  if (blob === null || row_count === null || size_bytes === null) return [];
  return [{ blob, rowCount: fromCount(row_count), sizeBytes: fromCount(size_bytes) }];
}
