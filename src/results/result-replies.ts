import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Config } from '../config/config.js';
import type { Execution, ParameterValues } from '../executions/execution.js';
import { warningsOf } from '../http/ignored-names.js';
import { noteRequest } from '../http/logger.js';
import { ClientGoneError } from '../processes/read/reader.errors.js';
import { cutIdleClient } from './cut-idle-client.js';
import { DeletedResults } from './deleted-results.js';
import type { ReadCsvDto } from './dto/read-results.dto.js';
import { toReadingClient } from './reading-http-client.js';
import { type ResultRequest, ResultsService, type ResultText } from './results.service.js';

const PARAMETER_PREFIX = 'params.';

/** A results call as it came. */
export interface ResultCall {
  readonly dto: ReadCsvDto;
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
    const text = await unlessGone(
      this.deleted.readOrExpired(execution, (current) =>
        this.results.readJson(current, this.toResultRequest(current, call, 'results')),
      ),
    );
    if (!text) return;
    void call.reply.type('application/json; charset=utf-8');
    this.send(text, call);
  }

  async answerCsv(execution: Execution, call: ResultCall): Promise<void> {
    const { reply } = call;
    const text = await unlessGone(
      this.deleted.readOrExpired(execution, (current) =>
        this.results.readCsv(current, this.toResultRequest(current, call, 'results/csv')),
      ),
    );
    if (!text) return;
    const { next } = text;
    for (const brand of next ? this.config.HEADER_BRANDS : []) {
      void reply.header(`x-${brand.toLowerCase()}-next-offset`, String(next?.offset));
      void reply.header(`x-${brand.toLowerCase()}-next-uri`, next?.uri ?? '');
    }
    void reply.type('text/csv; charset=utf-8');
    this.send(text, call);
  }

  private send({ body }: ResultText, { request, reply }: ResultCall): void {
    void reply.send(body);
    if (typeof body !== 'string') cutIdleClient(reply.raw, request.raw.socket, this.config.READ_IDLE_TIMEOUT);
  }

  /** Values of `params.<name>` in the query string; a repeated one is a list, written as executions keep it. */
  toParameterValues(request: FastifyRequest): ParameterValues {
    const query = Object.entries(request.query as Record<string, string | string[]>);
    const named = query.filter(([name]) => name.startsWith(PARAMETER_PREFIX));
    return Object.fromEntries(
      named.map(([name, value]) => [name.slice(PARAMETER_PREFIX.length), [value].flat().join(',')]),
    );
  }

  private toResultRequest(
    { id }: Execution,
    { dto, request, reply }: ResultCall,
    endpoint: 'results' | 'results/csv',
  ): ResultRequest {
    noteRequest(request.raw, { execution: id });
    const {
      limit,
      offset,
      filters,
      columns,
      sort_by: sortBy,
      sample_count: sampleCount,
      sample_seed: sampleSeed,
      csv_null: csvNull,
    } = dto;
    return {
      read: { limit, offset, filters, columns, sortBy, sampleCount, sampleSeed, csvNull },
      allowPartial: dto.allow_partial_results === true || dto.allows_partial_results === true,
      address: {
        origin: this.config.PUBLIC_URL ?? `${request.protocol}://${request.host}`,
        // Not the path of the request: the latest result of a query can be another one when the next page is asked for.
        path: `/api/v1/execution/${id}/${endpoint}`,
        query: request.query as Record<string, string | string[]>,
      },
      client: toReadingClient(request, reply),
      warnings: warningsOf(dto),
    };
  }
}

/** The text of an answer; nothing if its client is gone, so that there is nobody to answer. */
async function unlessGone(reading: Promise<ResultText>): Promise<ResultText | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ClientGoneError) return undefined;
    throw error;
  }
}
