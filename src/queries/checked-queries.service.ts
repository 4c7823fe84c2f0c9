import { Injectable, Logger } from '@nestjs/common';
import type { Account } from '../auth/account.js';
import type { QueryId } from '../catalog/ids.js';
import { SyntaxChecker } from '../processes/syntax/syntax-checker.js';
import { checkDeclarations } from './check-declarations.js';
import { checkSavedSql } from './check-saved-sql.js';
import { checkSqlSize } from './check-sql-size.js';
import { QueriesService } from './queries.service.js';
import type { NewQuery, Query, QueryChanges } from './query.js';

/** Saves and alters queries for people who write them: a text that is not SQL is refused. */
@Injectable()
export class CheckedQueriesService {
  private readonly logger = new Logger(CheckedQueriesService.name);

  constructor(
    private readonly queries: QueriesService,
    private readonly checker: SyntaxChecker,
  ) {}

  /** @throws {SqlSyntaxError}, and what {@link QueriesService.create} throws */
  async create(account: Account, wanted: NewQuery): Promise<Query> {
    await this.check(wanted);
    return await this.queries.create(account, wanted);
  }

  /**
   * A change of anything but the text and its parameters is made whatever the text is.
   *
   * @throws {SqlSyntaxError}, and what {@link QueriesService.alter} throws
   */
  async alter(id: QueryId, account: Account, changes: QueryChanges): Promise<void> {
    if (changes.sql !== undefined || changes.parameters !== undefined) {
      const query = await this.queries.findOwn(id, account);
      if (query) await this.check({ ...query, ...changes });
    }
    await this.queries.alter(id, account, changes);
  }

  private async check({ sql, parameters }: Pick<Query, 'sql' | 'parameters'>): Promise<void> {
    checkDeclarations(parameters);
    checkSqlSize(sql);
    const reason = await checkSavedSql(this.checker, sql, parameters);
    if (reason !== undefined) this.logger.warn({ reason }, 'The syntax of a query was not checked');
  }
}
