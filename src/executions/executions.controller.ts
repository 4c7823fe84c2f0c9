import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Account } from '../auth/account.js';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { CurrentAccount } from '../auth/current-account.decorator.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import { ApiErrors } from '../common/api-errors.decorator.js';
import { warningsOf } from '../common/ignored-names.js';
import { QueryId } from '../queries/query-id.decorator.js';
import { ApiRunChoices } from './dto/api-run-choices.decorator.js';
import { ExecuteInQueryDto, ExecuteQueryDto, ExecuteSqlDto } from './dto/execute-query.dto.js';
import {
  ExecutionCancelledBody,
  ExecutionStartedBody,
  ExecutionStatusBody,
  toExecutionStatusBody,
} from './dto/execution-status.body.js';
import { toRunChoices } from './dto/to-run-choices.js';
import { ExecutionsService } from './executions.service.js';
import { NoteExecution } from './note-execution.interceptor.js';

/** Starts, watches and cancels executions. */
@ApiTags('Executions')
@Controller('v1')
@UseGuards(ApiKeyGuard)
@UseInterceptors(NoteExecution)
export class ExecutionsController {
  constructor(private readonly executions: ExecutionsService) {}

  @Post('query/:query_id/execute')
  @HttpCode(200)
  @RequireScope({ scope: 'read_write', action: 'execute queries' })
  @ApiOperation({ summary: 'Start an execution of a saved query' })
  @ApiBody({ type: ExecuteQueryDto, required: false })
  @ApiRunChoices()
  @ApiOkResponse({ type: ExecutionStartedBody })
  @ApiErrors(400, 403, 404, 413, 415)
  async execute(
    @QueryId() queryId: number,
    @Body() body: ExecuteQueryDto,
    @Query() query: ExecuteInQueryDto,
    @Req() request: FastifyRequest,
    @CurrentAccount() account: Account,
  ): Promise<ExecutionStartedBody> {
    const choices = toRunChoices(body, request.query as Record<string, unknown>);
    return toStarted(await this.executions.start(queryId, account, choices), warningsOf(query, body));
  }

  @Post('sql/execute')
  @HttpCode(200)
  @RequireScope({ scope: 'read_write', action: 'execute queries' })
  @ApiOperation({ summary: 'Run SQL without saving it' })
  @ApiRunChoices()
  @ApiOkResponse({ type: ExecutionStartedBody })
  @ApiErrors(400, 403, 413, 415)
  async executeSql(
    @Body() body: ExecuteSqlDto,
    @Query() query: ExecuteInQueryDto,
    @Req() request: FastifyRequest,
    @CurrentAccount() account: Account,
  ): Promise<ExecutionStartedBody> {
    const choices = toRunChoices(body, request.query as Record<string, unknown>);
    return toStarted(await this.executions.startSql(body.sql, account, choices), warningsOf(query, body));
  }

  @Post('execution/:execution_id/cancel')
  @HttpCode(200)
  @RequireScope({ scope: 'read_write', action: 'cancel executions' })
  @ApiOperation({ summary: 'Cancel an execution' })
  @ApiOkResponse({ type: ExecutionCancelledBody })
  @ApiErrors(400, 403, 404)
  async cancel(@Param('execution_id') id: string, @CurrentAccount() account: Account): Promise<ExecutionCancelledBody> {
    return { success: await this.executions.cancel(id, account) };
  }

  @Get('execution/:execution_id/status')
  @ApiOperation({ summary: 'Tell where an execution stands' })
  @ApiOkResponse({ type: ExecutionStatusBody })
  @ApiErrors(400, 404)
  async status(@Param('execution_id') id: string, @CurrentAccount() account: Account): Promise<ExecutionStatusBody> {
    const execution = await this.executions.getReadable(id, account);
    return toExecutionStatusBody(execution, this.executions.liveStatus(execution));
  }
}

function toStarted({ id, state }: { id: string; state: string }, warnings?: string[]): ExecutionStartedBody {
  return { execution_id: id, state: `QUERY_STATE_${state}`, warnings };
}
