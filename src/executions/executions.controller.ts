import { Body, Controller, Delete, Get, HttpCode, Post, Query, Req, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Account } from '../auth/account.js';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { CurrentAccount } from '../auth/current-account.decorator.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { warningsOf } from '../http/ignored-names.js';
import { QueryId } from '../queries/query-id.decorator.js';
import { VALUES_IN_QUERY_STRING } from '../queries/values-in-query-string.js';
import { CurrentOrigin } from './current-origin.decorator.js';
import { ApiRunChoices } from './dto/api-run-choices.decorator.js';
import { ExecuteInQueryDto, ExecuteQueryDto, ExecuteSqlDto } from './dto/execute-query.dto.js';
import { ExecutionListBody, toExecutionListBody } from './dto/execution-list.body.js';
import { ListExecutionsDto, toExecutionFilter, toPage } from './dto/list-executions.dto.js';
import { ResultDeletedBody, ResultStorageFullDocument, toResultDeletedBody } from './dto/result-deleted.body.js';
import { toRunChoices } from './dto/to-run-choices.js';
import { ExecutionId } from './execution-id.decorator.js';
import { ExecutionListService } from './execution-list.service.js';
import {
  ExecutionCancelledBody,
  ExecutionStartedBody,
  ExecutionStatusBody,
  toExecutionStatusBody,
} from './execution-status.body.js';
import { ExecutionsService } from './executions.service.js';
import { NoteExecution } from './note-execution.interceptor.js';
import type { Origin } from './origin.js';
import { ResultDeletionService } from './result-deletion.service.js';

/** Starts, watches, cancels and lists executions, and deletes their results. */
@ApiTags('Executions')
@Controller('v1')
@UseGuards(ApiKeyGuard)
@UseInterceptors(NoteExecution)
export class ExecutionsController {
  constructor(
    private readonly executions: ExecutionsService,
    private readonly listing: ExecutionListService,
    private readonly deletion: ResultDeletionService,
  ) {}

  @Post('query/:query_id/execute')
  @HttpCode(200)
  @RequireScope({ scope: 'read_write', action: 'execute queries' })
  @ApiOperation({
    operationId: 'executeQuery',
    summary: 'Start an execution of a saved query',
    description: VALUES_IN_QUERY_STRING,
  })
  @ApiBody({ type: ExecuteQueryDto, required: false })
  @ApiRunChoices()
  @ApiOkResponse({ type: ExecutionStartedBody })
  @ApiErrors(400, { status: 402, type: ResultStorageFullDocument }, 403, 404, 413, 415)
  async execute(
    @QueryId() queryId: number,
    @Body() body: ExecuteQueryDto,
    @Query() query: ExecuteInQueryDto,
    @Req() request: FastifyRequest,
    @CurrentAccount() account: Account,
    @CurrentOrigin() origin: Origin,
  ): Promise<ExecutionStartedBody> {
    const choices = toRunChoices(body, request.query as Record<string, unknown>, origin);
    return toStarted(await this.executions.start(queryId, account, choices), warningsOf(query, body));
  }

  @Post('sql/execute')
  @HttpCode(200)
  @RequireScope({ scope: 'read_write', action: 'execute queries' })
  @ApiOperation({
    operationId: 'executeSql',
    summary: 'Run SQL without saving it',
    description: VALUES_IN_QUERY_STRING,
  })
  @ApiRunChoices()
  @ApiOkResponse({ type: ExecutionStartedBody })
  @ApiErrors(400, { status: 402, type: ResultStorageFullDocument }, 403, 413, 415)
  async executeSql(
    @Body() body: ExecuteSqlDto,
    @Query() query: ExecuteInQueryDto,
    @Req() request: FastifyRequest,
    @CurrentAccount() account: Account,
    @CurrentOrigin() origin: Origin,
  ): Promise<ExecutionStartedBody> {
    const choices = toRunChoices(body, request.query as Record<string, unknown>, origin);
    return toStarted(await this.executions.startSql(body.sql, account, choices), warningsOf(query, body));
  }

  @Post('execution/:execution_id/cancel')
  @HttpCode(200)
  @RequireScope({ scope: 'read_write', action: 'cancel executions' })
  @ApiOperation({ operationId: 'cancelExecution', summary: 'Cancel an execution' })
  @ApiOkResponse({ type: ExecutionCancelledBody })
  @ApiErrors(400, 403, 404)
  async cancel(@ExecutionId() id: string, @CurrentAccount() account: Account): Promise<ExecutionCancelledBody> {
    return { success: await this.executions.cancel(id, account) };
  }

  @Delete('execution/:execution_id')
  @RequireScope({ scope: 'read_write', action: 'delete results' })
  @ApiOperation({
    operationId: 'deleteExecutionResult',
    summary: 'Delete the stored result of an execution; the execution stays, as expired',
  })
  @ApiOkResponse({ type: ResultDeletedBody })
  @ApiErrors(400, 403, 404, 409)
  async deleteResult(@ExecutionId() id: string, @CurrentAccount() account: Account): Promise<ResultDeletedBody> {
    return toResultDeletedBody(await this.deletion.delete(id, account));
  }

  @Get('executions')
  @ApiOperation({ operationId: 'listExecutions', summary: "List the account's own executions, newest first" })
  @ApiOkResponse({ type: ExecutionListBody })
  @ApiErrors(400)
  async list(@Query() dto: ListExecutionsDto, @CurrentAccount() account: Account): Promise<ExecutionListBody> {
    return toExecutionListBody(await this.listing.list(account, toExecutionFilter(dto), toPage(dto)));
  }

  @Get('execution/:execution_id/status')
  @ApiOperation({ operationId: 'getExecutionStatus', summary: 'Tell where an execution stands' })
  @ApiOkResponse({ type: ExecutionStatusBody })
  @ApiErrors(400, 404)
  async status(@ExecutionId() id: string, @CurrentAccount() account: Account): Promise<ExecutionStatusBody> {
    const execution = await this.executions.getReadable(id, account);
    return toExecutionStatusBody(execution, this.executions.liveStatus(execution));
  }
}

function toStarted({ id, state }: { id: string; state: string }, warnings?: string[]): ExecutionStartedBody {
  return { execution_id: id, state: `QUERY_STATE_${state}`, warnings };
}
