import { Injectable } from '@nestjs/common';
import type { Account } from '../auth/account.js';
import { type ListFilter, OWN } from '../auth/list-scope.js';
import type { AccountId, QueryId } from '../catalog/ids.js';
import { Clock } from '../config/clock.js';
import type { ListPage } from '../http/list-page.js';
import { checkDeclarations } from './check-declarations.js';
import { checkSqlSize } from './check-sql-size.js';
import { matchParameters } from './match-parameters.js';
import type { GivenParameters, ParameterValues } from './parameter.js';
import { QueryNotAllowedError, QueryNotFoundError } from './queries.errors.js';
import { QueriesRepository } from './queries.repository.js';
import { changeQuery, type NewQuery, type Query, type QueryChanges } from './query.js';
import { parametersOf, type RenderedSql, substituteParameters } from './substitute-parameters.js';

/** Some of the queries that an account may see, and how many there are in all. */
export interface QueryPage {
  readonly queries: readonly Query[];
  readonly total: number;
}

/** Who runs a statement, and the query that it is; SQL that is sent directly is none. */
interface AuthoredStatement {
  readonly queryId?: QueryId;
  readonly accountId: AccountId;
}

/** Saves, finds and alters queries. Other accounts can read and execute a public one. */
@Injectable()
export class QueriesService {
  constructor(
    private readonly queries: QueriesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws {InvalidParameterError} if the parameters are declared wrongly.
   * @throws {UnusableSqlError} if the text is too large to run.
   */
  async create(account: Account, wanted: NewQuery): Promise<Query> {
    checkDeclarations(wanted.parameters);
    checkSqlSize(wanted.sql);
    return await this.queries.insert(account, wanted, this.clock.now());
  }

  /**
   * Finds a query that the account may read, archived or not.
   *
   * @throws {QueryNotFoundError}
   */
  async getReadable(id: QueryId, account: Account): Promise<Query> {
    const query = await this.queries.find(id);
    if (!query || !isReadable(query, account)) throw new QueryNotFoundError();
    return query;
  }

  /**
   * Finds a query that the account may execute.
   *
   * @throws {QueryNotFoundError}
   * @throws {QueryNotAllowedError} if it is archived.
   */
  async getExecutable(id: QueryId, account: Account): Promise<Query> {
    const query = await this.getReadable(id, account);
    if (query.isArchived) throw new QueryNotAllowedError('execute');
    return query;
  }

  /** Finds a query of the account, archived or not. */
  async findOwn(id: QueryId, account: Account): Promise<Query | undefined> {
    const query = await this.queries.find(id);
    return query?.accountId === account.id ? query : undefined;
  }

  /** The account that runs a statement, if it has also written it: a query of its own, or none. */
  async findAuthor({ queryId, accountId }: AuthoredStatement): Promise<AccountId | undefined> {
    const isOwn = queryId === undefined || (await this.queries.find(queryId))?.accountId === accountId;
    return isOwn ? accountId : undefined;
  }

  /** Whether the query exists and anyone may read it. */
  async isPublic(id: QueryId): Promise<boolean> {
    const query = await this.queries.find(id);
    return query !== undefined && !query.isPrivate;
  }

  /**
   * Alters a query of the account.
   *
   * @throws {QueryNotFoundError} also if it is private and another account's.
   * @throws {QueryNotAllowedError} if it is public and another account's.
   * @throws {InvalidParameterError}
   */
  async alter(id: QueryId, account: Account, changes: QueryChanges): Promise<void> {
    checkDeclarations(changes.parameters ?? []);
    await this.queries.alter(id, (query) => {
      if (!query || !isReadable(query, account)) throw new QueryNotFoundError();
      if (query.accountId !== account.id) throw new QueryNotAllowedError('alter');
      return changeQuery(query, changes, this.clock.now());
    });
  }

  /** One page of queries that the account may see, newest first: without a filter, all its own. */
  async list(account: Account, page: ListPage, filter: ListFilter = OWN): Promise<QueryPage> {
    const [queries, total] = await Promise.all([
      this.queries.list(account.id, page, filter),
      this.queries.count(account.id, filter),
    ]);
    return { queries, total };
  }

  /** The text of a query with values for its parameters: see {@link substituteParameters}. */
  render(query: Query, given: GivenParameters): RenderedSql {
    return substituteParameters(query.sql, query.parameters, given);
  }

  /** Whether a run of the query had these parameter values (see {@link matchParameters}). */
  matchParameters(query: Query, wanted: ParameterValues): (values: ParameterValues) => boolean {
    return matchParameters(parametersOf(query.sql, query.parameters), wanted);
  }

  /** SQL that is not saved, with values for its parameters, which are all of type text. */
  renderSql(sql: string, given: GivenParameters): RenderedSql {
    return substituteParameters(sql, [], given);
  }
}

/** A private query of another account is as one that does not exist. */
function isReadable({ isPrivate, accountId }: Query, account: Account): boolean {
  return !isPrivate || accountId === account.id;
}
