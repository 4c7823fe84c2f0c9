import { applyDecorators, Controller, Get, Header, Query, UseGuards, UseInterceptors } from '@nestjs/common';
import { ApiNotModifiedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import type { ExecutionId, QueryId } from '../catalog/ids.js';
import type { Execution } from '../executions/execution.js';
import { ExecutionIdParam } from '../executions/execution-id.pipe.js';
import { ExecutionWaits } from '../executions/execution-waits.js';
import { ExecutionsService } from '../executions/executions.service.js';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { QueryIdParam } from '../queries/query-id.pipe.js';
import { NARROWED_BY_VALUES } from '../queries/values-in-query-string.js';
import {
  ReadCsvDto,
  ReadExecutionCsvDto,
  ReadExecutionResultsDto,
  ReadResultsDto,
  toResultRequest,
} from './dto/read-results.dto.js';
import { NoResultDocument, ResultsBody } from './dto/results.body.js';
import { CurrentReadCall, parameterValuesOf, type ReadCall } from './read-call.decorator.js';
import { type ResultAnswer, ResultsService } from './results.service.js';
import { SendResult } from './send-result.interceptor.js';

const NOT_MODIFIED = { description: 'The client has the answer, by `If-None-Match`. No body.' };

function AnswersJson(): MethodDecorator {
  return applyDecorators(
    Header('content-type', 'application/json; charset=utf-8'),
    ApiOkResponse({ type: ResultsBody }),
    ApiNotModifiedResponse(NOT_MODIFIED),
    ApiErrors(400, 404, 413),
  );
}

/** Only a success is CSV; errors are JSON. */
function AnswersCsv(): MethodDecorator {
  return applyDecorators(
    Header('content-type', 'text/csv; charset=utf-8'),
    ApiOkResponse({
      content: { 'text/csv': { schema: { type: 'string' } } },
      description: 'Header line and rows; paging headers if a further page exists.',
    }),
    ApiNotModifiedResponse(NOT_MODIFIED),
  );
}

/** Reads stored results, as often as wanted, without running anything. */
@ApiTags('Results')
@Controller('v1')
@UseGuards(ApiKeyGuard)
@UseInterceptors(SendResult)
export class ResultsController {
  constructor(
    private readonly executions: ExecutionsService,
    private readonly results: ResultsService,
    private readonly waits: ExecutionWaits,
  ) {}

  @Get('execution/:execution_id/results')
  @ApiOperation({ operationId: 'getExecutionResults', summary: 'Read the result of an execution as JSON' })
  @AnswersJson()
  async readJson(
    @ExecutionIdParam() id: ExecutionId,
    @Query() dto: ReadExecutionResultsDto,
    @CurrentReadCall() call: ReadCall,
  ): Promise<ResultAnswer> {
    return this.results.readJson(await this.findEnded(id, dto, call), toResultRequest(dto, call));
  }

  @Get('execution/:execution_id/results/csv')
  @ApiOperation({
    operationId: 'getExecutionResultsCsv',
    summary: 'Read the result of an execution as CSV; without `limit`, all of it',
  })
  @AnswersCsv()
  @ApiErrors(400, 404, { status: 409, type: NoResultDocument }, 413)
  async readCsv(
    @ExecutionIdParam() id: ExecutionId,
    @Query() dto: ReadExecutionCsvDto,
    @CurrentReadCall() call: ReadCall,
  ): Promise<ResultAnswer> {
    return this.results.readCsv(await this.findEnded(id, dto, call), toResultRequest(dto, call));
  }

  @Get('query/:query_id/results')
  @ApiOperation({
    operationId: 'getLatestResults',
    summary: 'Read the latest result of a query as JSON',
    description: NARROWED_BY_VALUES,
  })
  @AnswersJson()
  @Header('cache-control', 'no-cache')
  async readLatestJson(
    @QueryIdParam() queryId: QueryId,
    @Query() dto: ReadResultsDto,
    @CurrentReadCall() call: ReadCall,
  ): Promise<ResultAnswer> {
    const latest = await this.executions.getLatest(queryId, call.account, parameterValuesOf(call));
    return this.results.readJson(latest, toResultRequest(dto, call));
  }

  @Get('query/:query_id/results/csv')
  @ApiOperation({
    operationId: 'getLatestResultsCsv',
    summary: 'Read the latest result of a query as CSV; without `limit`, all of it',
    description: NARROWED_BY_VALUES,
  })
  @AnswersCsv()
  @Header('cache-control', 'no-cache')
  @ApiErrors(400, 404, 413)
  async readLatestCsv(
    @QueryIdParam() queryId: QueryId,
    @Query() dto: ReadCsvDto,
    @CurrentReadCall() call: ReadCall,
  ): Promise<ResultAnswer> {
    const latest = await this.executions.getLatest(queryId, call.account, parameterValuesOf(call));
    return this.results.readCsv(latest, toResultRequest(dto, call));
  }

  private async findEnded(
    id: ExecutionId,
    { wait_seconds }: ReadExecutionResultsDto,
    { account, client }: ReadCall,
  ): Promise<Execution> {
    return this.waits.ended(await this.executions.getReadable(id, account), wait_seconds, client.gone);
  }
}
