import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Account } from '../auth/account.js';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { CurrentAccount } from '../auth/current-account.decorator.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import { ApiErrors } from '../common/api-errors.decorator.js';
import { QueryId } from '../queries/query-id.decorator.js';
import { CurrentOrigin } from './current-origin.decorator.js';
import { ApiRunChoices } from './dto/api-run-choices.decorator.js';
import { ExecuteQueryDto, ExecuteSqlDto } from './dto/execute-query.dto.js';
import { ExecutionListBody, toExecutionListBody } from './dto/execution-list.body.js';
import {
  ExecutionCancelledBody,
  ExecutionStartedBody,
  ExecutionStatusBody,
  toExecutionStatusBody,
} from './dto/execution-status.body.js';
import { ListExecutionsDto, toExecutionFilter, toPage } from './dto/list-executions.dto.js';
import { ResultDeletedBody, ResultStorageFullDocument, toResultDeletedBody } from './dto/result-deleted.body.js';
import { toRunChoices } from './dto/to-run-choices.js';
import { ExecutionListService } from './execution-list.service.js';
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
  @ApiOperation({ summary: 'Start an execution of a saved query' })
  @ApiBody({ type: ExecuteQueryDto, required: false })
  @ApiRunChoices()
  @ApiOkResponse({ type: ExecutionStartedBody })
  @ApiErrors(400, { status: 402, type: ResultStorageFullDocument }, 403, 404, 413, 415)
  async execute(
    @QueryId() queryId: number,
    @Body() body: ExecuteQueryDto,
    @Query() query: Record<string, unknown>,
    @CurrentAccount() account: Account,
    @CurrentOrigin() origin: Origin,
  ): Promise<ExecutionStartedBody> {
    return toStarted(await this.executions.start(queryId, account, toRunChoices(body, query, origin)));
  }

  @Post('sql/execute')
  @HttpCode(200)
  @RequireScope({ scope: 'read_write', action: 'execute queries' })
  @ApiOperation({ summary: 'Run SQL without saving it' })
  @ApiRunChoices()
  @ApiOkResponse({ type: ExecutionStartedBody })
  @ApiErrors(400, { status: 402, type: ResultStorageFullDocument }, 403, 413, 415)
  async executeSql(
    @Body() body: ExecuteSqlDto,
    @Query() query: Record<string, unknown>,
    @CurrentAccount() account: Account,
    @CurrentOrigin() origin: Origin,
  ): Promise<ExecutionStartedBody> {
    return toStarted(await this.executions.startSql(body.sql, account, toRunChoices(body, query, origin)));
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

  @Delete('execution/:execution_id')
  @RequireScope({ scope: 'read_write', action: 'delete results' })
  @ApiOperation({ summary: 'Delete the stored result of an execution; the execution stays, as expired' })
  @ApiOkResponse({ type: ResultDeletedBody })
  @ApiErrors(400, 403, 404, 409)
  async deleteResult(
    @Param('execution_id') id: string,
    @CurrentAccount() account: Account,
  ): Promise<ResultDeletedBody> {
    return toResultDeletedBody(await this.deletion.delete(id, account));
  }

  @Get('executions')
  @ApiOperation({ summary: "List the account's own executions, newest first" })
  @ApiOkResponse({ type: ExecutionListBody })
  @ApiErrors(400)
  async list(@Query() dto: ListExecutionsDto, @CurrentAccount() account: Account): Promise<ExecutionListBody> {
    return toExecutionListBody(await this.listing.list(account, toExecutionFilter(dto), toPage(dto)));
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

function toStarted({ id, state }: { id: string; state: string }): ExecutionStartedBody {
  return { execution_id: id, state: `QUERY_STATE_${state}` };
}
