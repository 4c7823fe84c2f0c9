import { Injectable } from '@nestjs/common';
import type { ExpressionBuilder } from 'kysely';
import type { Account } from '../auth/account.js';
import { type ListFilter, OWN } from '../auth/list-scope.js';
import { Catalog, type CatalogConnection } from '../catalog/catalog.js';
import type { Database } from '../catalog/database.js';
import type { AccountId, QueryId } from '../catalog/ids.js';
import { isLike, toSearchPatterns, toSearchText } from '../catalog/search-text.js';
import { fromCount, toFlag, toInstant } from '../catalog/stored-values.js';
import type { ListPage } from '../http/list-page.js';
import type { Parameter } from './parameter.js';
import type { NewQuery, Query } from './query.js';

/** The greatest that the column can hold: not every database compares with a greater one. */
const MAX_ID = 2 ** 31 - 1;

/** Saved queries and their versions in the catalog. */
@Injectable()
export class QueriesRepository {
  constructor(private readonly catalog: Catalog) {}

  async insert(account: Account, wanted: NewQuery, createdAt: Date): Promise<Query> {
    const draft = { ...wanted, version: 1, isArchived: false, accountId: account.id, owner: account.handle };
    return await this.catalog.inTransaction(async (transaction) => {
      const { id } = await transaction
        .insertInto('queries')
        .values({
          ...toRow({ ...draft, updatedAt: createdAt }),
          account_id: account.id,
          created_at: toInstant(createdAt),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const query = { ...draft, id, createdAt, updatedAt: createdAt };
      await insertVersion(transaction, query);
      return query;
    });
  }

  async find(id: QueryId): Promise<Query | undefined> {
    return await find(this.catalog, id);
  }

  /** Locks a query and stores what `change` makes of it; nothing, if it throws. */
  async alter(id: QueryId, change: (query: Query | undefined) => Query): Promise<void> {
    await this.catalog.inTransaction(async (transaction) => {
      const before = (await lock(transaction, id)) ? await find(transaction, id) : undefined;
      const after = change(before);
      await transaction.updateTable('queries').set(toRow(after)).where('id', '=', id).execute();
      if (after.version !== before?.version) await insertVersion(transaction, after);
    });
  }

  /** One page of the queries that an account may see, newest first. */
  async list(accountId: AccountId, { limit, offset }: ListPage, filter: ListFilter = OWN): Promise<Query[]> {
    const page = queries(this.catalog)
      .where((query) => matching(query, accountId, filter))
      .orderBy('queries.id', 'desc')
      .limit(limit)
      .offset(offset);
    return (await page.execute()).map(toQuery);
  }

  async count(accountId: AccountId, filter: ListFilter = OWN): Promise<number> {
    const { count } = await this.catalog
      .selectFrom('queries')
      .select(({ fn }) => fn.countAll().as('count'))
      .where((query) => matching(query, accountId, filter))
      .executeTakeFirstOrThrow();
    return fromCount(count);
  }
}

function matching(
  query: ExpressionBuilder<Database, 'queries'>,
  accountId: AccountId,
  { scope, search = '' }: ListFilter,
) {
  const isOwn = query('queries.account_id', '=', accountId);
  const isPublic = query.and([
    query('queries.account_id', '<>', accountId),
    query('queries.is_private', '=', 0),
    query('queries.is_archived', '=', 0),
  ]);
  const isInScope = { own: isOwn, public: isPublic, all: query.or([isOwn, isPublic]) }[scope];
  return query.and([isInScope, ...toSearchPatterns(search).map((pattern) => isLike('queries.search_text', pattern))]);
}

/** Locks a query until the transaction ends, as updates do. @returns whether it exists. */
async function lock(transaction: CatalogConnection, id: QueryId): Promise<boolean> {
  if (id > MAX_ID) return false;
  const { numUpdatedRows } = await transaction
    .updateTable('queries')
    .set((query) => ({ version: query.ref('version') }))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

async function find(connection: CatalogConnection, id: QueryId): Promise<Query | undefined> {
  if (id > MAX_ID) return undefined;
  const row = await queries(connection).where('queries.id', '=', id).executeTakeFirst();
  return row && toQuery(row);
}

function queries(connection: CatalogConnection) {
  return connection
    .selectFrom('queries')
    .innerJoin('accounts', 'accounts.id', 'queries.account_id')
    .innerJoin('query_versions', (join) =>
      join.onRef('query_versions.query_id', '=', 'queries.id').onRef('query_versions.version', '=', 'queries.version'),
    )
    .selectAll('queries')
    .select(['accounts.handle', 'query_versions.sql', 'query_versions.parameters']);
}

async function insertVersion(connection: CatalogConnection, query: Query): Promise<void> {
  const { id, version, sql, parameters, updatedAt } = query;
  await connection
    .insertInto('query_versions')
    .values({ query_id: id, version, sql, parameters: JSON.stringify(parameters), created_at: toInstant(updatedAt) })
    .execute();
}

function toRow(query: Omit<Query, 'id' | 'createdAt'>) {
  return {
    name: query.name,
    description: query.description,
    is_private: toFlag(query.isPrivate),
    is_archived: toFlag(query.isArchived),
    tags: JSON.stringify(query.tags),
    version: query.version,
    updated_at: toInstant(query.updatedAt),
    search_text: toSearchText(query.name, query.description, ...query.tags),
  };
}

type QueryRow = Awaited<ReturnType<ReturnType<typeof queries>['executeTakeFirstOrThrow']>>;

function toQuery(row: QueryRow): Query {
  return {
    id: row.id,
    accountId: row.account_id,
    owner: row.handle,
    name: row.name,
    description: row.description,
    tags: JSON.parse(row.tags) as string[],
    version: row.version,
    sql: row.sql,
    parameters: JSON.parse(row.parameters) as Parameter[],
    isPrivate: row.is_private === 1,
    isArchived: row.is_archived === 1,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}
