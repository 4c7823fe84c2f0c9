import { Injectable } from '@nestjs/common';
import type { Account } from '../auth/account.js';
import { Clock } from '../common/clock.js';
import { checkDeclarations } from './check-declarations.js';
import { checkSqlSize } from './check-sql-size.js';
import type { GivenParameters } from './parameter.js';
import { QueryNotAllowedError, QueryNotFoundError } from './queries.errors.js';
import { QueriesRepository } from './queries.repository.js';
import { changeQuery, type NewQuery, type Query, type QueryChanges } from './query.js';
import { type RenderedSql, substituteParameters } from './substitute-parameters.js';

/** Some of an account's queries, and how many it has. */
export interface QueryPage {
  readonly queries: readonly Query[];
  readonly total: number;
}

/** Saves, finds and alters queries, and says who may: a private query is its account's alone, a public one anyone's to read and execute. */
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
  async getReadable(id: number, account: Account): Promise<Query> {
    const query = await this.queries.find(id);
    if (!query || (query.isPrivate && query.accountId !== account.id)) throw new QueryNotFoundError();
    return query;
  }

  /**
   * Finds a query that the account may execute.
   *
   * @throws {QueryNotFoundError}
   * @throws {QueryNotAllowedError} if it is archived.
   */
  async getExecutable(id: number, account: Account): Promise<Query> {
    const query = await this.getReadable(id, account);
    if (query.isArchived) throw new QueryNotAllowedError('execute');
    return query;
  }

  /** Finds a query of the account, archived or not. */
  async findOwn(id: number, account: Account): Promise<Query | undefined> {
    const query = await this.queries.find(id);
    return query?.accountId === account.id ? query : undefined;
  }

  /** Whether the query exists and anyone may read it. */
  async isPublic(id: number): Promise<boolean> {
    const query = await this.queries.find(id);
    return query !== undefined && !query.isPrivate;
  }

  /**
   * Alters a query of the account.
   *
   * @throws {QueryNotFoundError}
   * @throws {QueryNotAllowedError} if it is another account's.
   * @throws {InvalidParameterError}
   */
  async alter(id: number, account: Account, changes: QueryChanges): Promise<void> {
    checkDeclarations(changes.parameters ?? []);
    await this.queries.alter(id, (query) => {
      if (!query) throw new QueryNotFoundError();
      if (query.accountId !== account.id) throw new QueryNotAllowedError('alter');
      return changeQuery(query, changes, this.clock.now());
    });
  }

  /** One page of the account's own queries, newest first, archived ones among them. */
  async list(account: Account, page: { limit: number; offset: number }): Promise<QueryPage> {
    const [queries, total] = await Promise.all([this.queries.list(account.id, page), this.queries.count(account.id)]);
    return { queries, total };
  }

  /** The text of a query with values in the place of its parameters (see {@link substituteParameters} for what is thrown). */
  render(query: Query, given: GivenParameters): RenderedSql {
    return substituteParameters(query.sql, query.parameters, given);
  }

  /** SQL that is not saved, with values in the place of its parameters, which are all of type text. */
  renderSql(sql: string, given: GivenParameters): RenderedSql {
    return substituteParameters(sql, [], given);
  }
}
