import { Body, Controller, Delete, Get, HttpCode, Post, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Account } from '../auth/account.js';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { CurrentAccount } from '../auth/current-account.decorator.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import type { ExecutionId, QueryId } from '../catalog/ids.js';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { ClientGone } from '../http/client-gone.js';
import { warningsOf } from '../http/ignored-names.js';
import { QueryIdParam } from '../queries/query-id.pipe.js';
import { VALUES_IN_QUERY_STRING } from '../queries/values-in-query-string.js';
import { ApiRunChoices } from './dto/api-run-choices.decorator.js';
import { ExecuteInQueryDto, ExecuteQueryDto, ExecuteSqlDto } from './dto/execute-query.dto.js';
import { ExecutionListBody, toExecutionListBody } from './dto/execution-list.body.js';
import { ListExecutionsDto, toExecutionFilter } from './dto/list-executions.dto.js';
import { ResultDeletedBody, ResultStorageFullDocument, toResultDeletedBody } from './dto/result-deleted.body.js';
import { toRunChoices } from './dto/to-run-choices.js';
import { WaitDto } from './dto/wait.dto.js';
import { ExecutionIdParam } from './execution-id.pipe.js';
import { ExecutionListService } from './execution-list.service.js';
import {
  ExecutionCancelledBody,
  ExecutionStartedBody,
  ExecutionStatusBody,
  toExecutionStartedBody,
  toExecutionStatusBody,
} from './execution-status.body.js';
import { ExecutionWaits } from './execution-waits.js';
import { ExecutionsService } from './executions.service.js';
import { NoteExecution } from './note-execution.interceptor.js';
import { ResultDeletionService } from './result-deletion.service.js';
import { CurrentRunCall, type RunCall } from './run-call.decorator.js';

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
    private readonly waits: ExecutionWaits,
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
    @QueryIdParam() queryId: QueryId,
    @Body() body: ExecuteQueryDto,
    @Query() query: ExecuteInQueryDto,
    @CurrentRunCall() call: RunCall,
  ): Promise<ExecutionStartedBody> {
    const started = await this.executions.start(queryId, call.account, toRunChoices(body, call));
    return toExecutionStartedBody(
      await this.waits.ended(started, query.wait_seconds, call.gone),
      warningsOf(query, body),
    );
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
    @CurrentRunCall() call: RunCall,
  ): Promise<ExecutionStartedBody> {
    const started = await this.executions.startSql(body.sql, call.account, toRunChoices(body, call));
    return toExecutionStartedBody(
      await this.waits.ended(started, query.wait_seconds, call.gone),
      warningsOf(query, body),
    );
  }

  @Post('execution/:execution_id/cancel')
  @HttpCode(200)
  @RequireScope({ scope: 'read_write', action: 'cancel executions' })
  @ApiOperation({ operationId: 'cancelExecution', summary: 'Cancel an execution' })
  @ApiOkResponse({ type: ExecutionCancelledBody })
  @ApiErrors(400, 403, 404)
  async cancel(
    @ExecutionIdParam() id: ExecutionId,
    @CurrentAccount() account: Account,
  ): Promise<ExecutionCancelledBody> {
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
  async deleteResult(
    @ExecutionIdParam() id: ExecutionId,
    @CurrentAccount() account: Account,
  ): Promise<ResultDeletedBody> {
    return toResultDeletedBody(await this.deletion.delete(id, account));
  }

  @Get('executions')
  @ApiOperation({ operationId: 'listExecutions', summary: "List the account's own executions, newest first" })
  @ApiOkResponse({ type: ExecutionListBody })
  @ApiErrors(400)
  async list(@Query() dto: ListExecutionsDto, @CurrentAccount() account: Account): Promise<ExecutionListBody> {
    return toExecutionListBody(await this.listing.list(account, toExecutionFilter(dto), ListExecutionsDto.pageOf(dto)));
  }

  @Get('execution/:execution_id/status')
  @ApiOperation({ operationId: 'getExecutionStatus', summary: 'Report the state of an execution' })
  @ApiOkResponse({ type: ExecutionStatusBody })
  @ApiErrors(400, 404)
  async status(
    @ExecutionIdParam() id: ExecutionId,
    @Query() { wait_seconds }: WaitDto,
    @CurrentAccount() account: Account,
    @ClientGone() gone: AbortSignal,
  ): Promise<ExecutionStatusBody> {
    await this.waits.ended(await this.executions.getReadable(id, account), wait_seconds, gone);
    return toExecutionStatusBody(await this.executions.getStatus(id, account));
  }
}
