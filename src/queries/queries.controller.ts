import { applyDecorators, Body, Controller, Get, HttpCode, Patch, Post, Query, UseGuards } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Account } from '../auth/account.js';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { CurrentAccount } from '../auth/current-account.decorator.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import type { QueryId } from '../catalog/ids.js';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { CheckedQueriesService } from './checked-queries.service.js';
import { ListQueriesDto, toFilter } from './dto/list-queries.dto.js';
import { QueryBody, QueryIdBody, QueryListBody, toQueryBody, toQueryListBody } from './dto/query.body.js';
import { AlterQueryDto, CreateQueryDto, toNewQuery, toQueryChanges } from './dto/save-query.dto.js';
import { SqlSyntaxDocument } from './dto/sql-syntax.document.js';
import { QueriesService } from './queries.service.js';
import type { QueryChanges } from './query.js';
import { QueryIdParam } from './query-id.pipe.js';

/** The scope and reply of the calls that save or alter a query. */
function SavesQuery(operationId: string, summary: string, ...errors: number[]): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    RequireScope({ scope: 'read_write', action: 'save or alter queries' }),
    ApiOperation({ operationId, summary }),
    ApiOkResponse({ type: QueryIdBody }),
    ApiErrors({ status: 400, type: SqlSyntaxDocument }, 403, ...errors),
  );
}

/** Saves, reads and alters queries. */
@ApiTags('Queries')
@Controller('v1')
@UseGuards(ApiKeyGuard)
export class QueriesController {
  constructor(
    private readonly queries: QueriesService,
    private readonly checked: CheckedQueriesService,
  ) {}

  @Post('query')
  @SavesQuery('createQuery', 'Save a query', 413, 415)
  async create(@Body() dto: CreateQueryDto, @CurrentAccount() account: Account): Promise<QueryIdBody> {
    return { query_id: (await this.checked.create(account, toNewQuery(dto))).id };
  }

  @Get('queries')
  @ApiOperation({
    operationId: 'listQueries',
    summary: "List the account's own queries, and with `scope` the public ones of others, newest first",
  })
  @ApiOkResponse({ type: QueryListBody })
  @ApiErrors(400)
  async list(@Query() dto: ListQueriesDto, @CurrentAccount() account: Account): Promise<QueryListBody> {
    return toQueryListBody(await this.queries.list(account, ListQueriesDto.pageOf(dto), toFilter(dto)));
  }

  @Get('query/:query_id')
  @ApiOperation({ operationId: 'getQuery', summary: 'Read a query' })
  @ApiOkResponse({ type: QueryBody })
  @ApiErrors(400, 404)
  async read(@QueryIdParam() id: QueryId, @CurrentAccount() account: Account): Promise<QueryBody> {
    return toQueryBody(await this.queries.getReadable(id, account));
  }

  @Patch('query/:query_id')
  @SavesQuery('updateQuery', 'Alter a query', 404, 413, 415)
  @ApiBody({ type: AlterQueryDto, required: false })
  async alter(
    @QueryIdParam() id: QueryId,
    @Body() dto: AlterQueryDto,
    @CurrentAccount() account: Account,
  ): Promise<QueryIdBody> {
    await this.checked.alter(id, account, toQueryChanges(dto));
    return { query_id: id };
  }

  @Post('query/:query_id/archive')
  @SavesQuery('archiveQuery', 'Archive a query: it can no longer be executed', 404)
  async archive(@QueryIdParam() id: QueryId, @CurrentAccount() account: Account): Promise<QueryIdBody> {
    return await this.change(id, account, { isArchived: true });
  }

  @Post('query/:query_id/unarchive')
  @SavesQuery('unarchiveQuery', 'Take a query out of the archive', 404)
  async unarchive(@QueryIdParam() id: QueryId, @CurrentAccount() account: Account): Promise<QueryIdBody> {
    return await this.change(id, account, { isArchived: false });
  }

  @Post('query/:query_id/private')
  @SavesQuery('makeQueryPrivate', 'Keep a query to its own account', 404)
  async makePrivate(@QueryIdParam() id: QueryId, @CurrentAccount() account: Account): Promise<QueryIdBody> {
    return await this.change(id, account, { isPrivate: true });
  }

  @Post('query/:query_id/unprivate')
  @SavesQuery('makeQueryPublic', 'Let every account read and execute a query', 404)
  async makePublic(@QueryIdParam() id: QueryId, @CurrentAccount() account: Account): Promise<QueryIdBody> {
    return await this.change(id, account, { isPrivate: false });
  }

  private async change(id: QueryId, account: Account, changes: QueryChanges): Promise<QueryIdBody> {
    await this.queries.alter(id, account, changes);
    return { query_id: id };
  }
}
