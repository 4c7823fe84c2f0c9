import { Controller, Get, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Account } from '../auth/account.js';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { CurrentAccount } from '../auth/current-account.decorator.js';
import { ExecutionId } from '../executions/execution-id.decorator.js';
import { ExecutionsService } from '../executions/executions.service.js';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { QueryId } from '../queries/query-id.decorator.js';
import { NARROWED_BY_VALUES } from '../queries/values-in-query-string.js';
import { ReadCsvDto, ReadResultsDto } from './dto/read-results.dto.js';
import { NoResultDocument, ResultsBody } from './dto/results.body.js';
import { ResultReplies } from './result-replies.js';

/** Documents a CSV answer. Only the success is CSV; failures are JSON. */
function CsvResponse(): MethodDecorator {
  return ApiOkResponse({
    content: { 'text/csv': { schema: { type: 'string' } } },
    description: 'Header line and rows; paging headers if a further page exists.',
  });
}

/** Reads stored results, as often as wanted, without running anything. */
@ApiTags('Results')
@Controller('v1')
@UseGuards(ApiKeyGuard)
export class ResultsController {
  constructor(
    private readonly executions: ExecutionsService,
    private readonly replies: ResultReplies,
  ) {}

  @Get('execution/:execution_id/results')
  @ApiOperation({ operationId: 'getExecutionResults', summary: 'Read the result of an execution as JSON' })
  @ApiOkResponse({ type: ResultsBody })
  @ApiErrors(400, 404, 413)
  async readJson(
    @ExecutionId() id: string,
    @Query() dto: ReadResultsDto,
    @CurrentAccount() account: Account,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const execution = await this.executions.getReadable(id, account);
    await this.replies.answerJson(execution, { dto, request, reply });
  }

  @Get('execution/:execution_id/results/csv')
  @ApiOperation({
    operationId: 'getExecutionResultsCsv',
    summary: 'Read the result of an execution as CSV; without `limit`, all of it',
  })
  @CsvResponse()
  @ApiErrors(400, 404, { status: 409, type: NoResultDocument }, 413)
  async readCsv(
    @ExecutionId() id: string,
    @Query() dto: ReadCsvDto,
    @CurrentAccount() account: Account,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const execution = await this.executions.getReadable(id, account);
    await this.replies.answerCsv(execution, { dto, request, reply });
  }

  @Get('query/:query_id/results')
  @ApiOperation({
    operationId: 'getLatestResults',
    summary: 'Read the latest result of a query as JSON',
    description: NARROWED_BY_VALUES,
  })
  @ApiOkResponse({ type: ResultsBody })
  @ApiErrors(400, 404, 413)
  async readLatestJson(
    @QueryId() queryId: number,
    @Query() dto: ReadResultsDto,
    @CurrentAccount() account: Account,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const execution = await this.executions.getLatest(queryId, account, this.replies.toParameterValues(request));
    await this.replies.answerJson(execution, { dto, request, reply });
  }

  @Get('query/:query_id/results/csv')
  @ApiOperation({
    operationId: 'getLatestResultsCsv',
    summary: 'Read the latest result of a query as CSV; without `limit`, all of it',
    description: NARROWED_BY_VALUES,
  })
  @CsvResponse()
  @ApiErrors(400, 404, 413)
  async readLatestCsv(
    @QueryId() queryId: number,
    @Query() dto: ReadCsvDto,
    @CurrentAccount() account: Account,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const execution = await this.executions.getLatest(queryId, account, this.replies.toParameterValues(request));
    await this.replies.answerCsv(execution, { dto, request, reply });
  }
}
