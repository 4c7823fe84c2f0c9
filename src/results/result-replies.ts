import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noteRequest } from '../common/logger.js';
import { Config } from '../config/config.js';
import type { Execution, ParameterValues } from '../executions/execution.js';
import { DeletedResults } from './deleted-results.js';
import type { ReadResultsDto } from './dto/read-results.dto.js';
import { type ResultRequest, ResultsService } from './results.service.js';

const PARAMETER_PREFIX = 'params.';

/** A results call as it came. */
export interface ResultCall {
  readonly dto: ReadResultsDto;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** The HTTP side of a results call: where the caller asked, and the headers of the answer. */
@Injectable()
export class ResultReplies {
  constructor(
    private readonly config: Config,
    private readonly results: ResultsService,
    private readonly deleted: DeletedResults,
  ) {}

  async answerJson(execution: Execution, call: ResultCall): Promise<void> {
    const { body } = await this.deleted.readOrExpired(execution, (current) =>
      this.results.readJson(current, this.toResultRequest(current, call)),
    );
    void call.reply.type('application/json; charset=utf-8').send(body);
  }

  async answerCsv(execution: Execution, call: ResultCall): Promise<void> {
    const { reply } = call;
    const { body, next } = await this.deleted.readOrExpired(execution, (current) =>
      this.results.readCsv(current, this.toResultRequest(current, call)),
    );
    for (const brand of next ? this.config.HEADER_BRANDS : []) {
      void reply.header(`x-${brand.toLowerCase()}-next-offset`, String(next?.offset));
      void reply.header(`x-${brand.toLowerCase()}-next-uri`, next?.uri ?? '');
    }
    void reply.type('text/csv; charset=utf-8').send(body);
  }

  /** Values of `params.<name>` in the query string; a repeated one is a list, written as executions keep it. */
  toParameterValues(request: FastifyRequest): ParameterValues {
    const query = Object.entries(request.query as Record<string, string | string[]>);
    const named = query.filter(([name]) => name.startsWith(PARAMETER_PREFIX));
    return Object.fromEntries(
      named.map(([name, value]) => [name.slice(PARAMETER_PREFIX.length), [value].flat().join(',')]),
    );
  }

  private toResultRequest({ id }: Execution, { dto, request }: ResultCall): ResultRequest {
    noteRequest(request.raw, { execution: id });
    const {
      limit,
      offset,
      filters,
      columns,
      sort_by: sortBy,
      sample_count: sampleCount,
      sample_seed: sampleSeed,
    } = dto;
    return {
      read: { limit, offset, filters, columns, sortBy, sampleCount, sampleSeed },
      allowPartial: dto.allow_partial_results === 'true' || dto.allows_partial_results === 'true',
      address: {
        origin: this.config.PUBLIC_URL ?? `${request.protocol}://${request.host}`,
        path: request.url.split('?', 1)[0] ?? '',
        query: request.query as Record<string, string | string[]>,
      },
    };
  }
}
