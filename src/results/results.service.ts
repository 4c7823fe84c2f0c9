import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { Execution, StoredResult } from '../executions/execution.js';
import { toWireState } from '../executions/execution-state.js';
import { ExecutionsService } from '../executions/executions.service.js';
import type { PipeStream } from '../processes/read/pipe-stream.js';
import type { ReadingClient } from '../processes/read/reading-client.js';
import { bindReadPlan } from '../read-plan/bind-read-plan.js';
import { parseReadPlan } from '../read-plan/parse-read-plan.js';
import type { ReadPlan, ReadRequest } from '../read-plan/read-plan.js';
import type { Column } from '../types/column.js';
import { csvHeader } from '../types/csv-row.js';
import { toResultsBody } from './dto/results.body.js';
import { jsonPageText } from './json-page.js';
import { type NextPage, nextUri, type PageAddress } from './next-uri.js';
import { type Page, PageReader } from './page-reader.js';
import type { PagePlan } from './page-to-sql.js';
import { NoCsvResultError, PartialResultError } from './results.errors.js';
import { TextStream } from './text-stream.js';

/** What a caller asks of a result. */
export interface ResultRequest {
  readonly read: Omit<ReadRequest, 'format'>;
  readonly allowPartial: boolean;
  readonly address: PageAddress;
  readonly client: ReadingClient;
  /** What of the request was ignored. */
  readonly warnings: string[] | undefined;
}

/** The text of an answer, and the page after it. */
export interface ResultText {
  readonly body: Readable | string;
  readonly next?: NextPage;
}

/** Reads stored results: request text to plan to SQL to text. */
@Injectable()
export class ResultsService {
  constructor(
    private readonly config: Config,
    private readonly executions: ExecutionsService,
    private readonly pages: PageReader,
  ) {}

  /** One page with its envelope; the envelope alone if there is no result to read. */
  async readJson(execution: Execution, request: ResultRequest): Promise<ResultText> {
    const parsed = parseReadPlan({ ...request.read, format: 'json' }, { maxPageRows: this.config.MAX_PAGE_ROWS });
    const { result } = execution;
    const about = { live: this.executions.liveStatus(execution), warnings: request.warnings };
    if (!result) return { body: JSON.stringify(toResultsBody(execution, about)) };
    refuseUnaskedPartial(execution, request);
    const plan = withLimit(bindReadPlan(parsed, result.columns), result);
    const page = await this.pages.readPage(result, plan, 'json', request.client);
    const next = findNextPage(page, plan, result, request.address);
    return {
      body: jsonPageText(toResultsBody(execution, about, { page, columns: plan.projection, next }), page),
      next,
    };
  }

  /**
   * One page, or without a limit the whole result.
   *
   * @throws NoCsvResultError if there is no result to read.
   */
  async readCsv(execution: Execution, request: ResultRequest): Promise<ResultText> {
    const parsed = parseReadPlan({ ...request.read, format: 'csv' }, { maxPageRows: this.config.MAX_PAGE_ROWS });
    const { result } = execution;
    if (!result) throw new NoCsvResultError(toWireState(execution.state));
    refuseUnaskedPartial(execution, request);
    const plan = bindReadPlan(parsed, result.columns);
    if (!isPaged(plan)) {
      const lines = await this.pages.streamCsv(result, plan, request.client);
      return { body: withHeader(plan.projection, lines) };
    }
    const page = await this.pages.readPage(result, plan, 'csv', request.client);
    return { body: withHeader(plan.projection, page.lines), next: findNextPage(page, plan, result, request.address) };
  }
}

function refuseUnaskedPartial({ state }: Execution, { allowPartial }: ResultRequest): void {
  if (state === 'COMPLETED_PARTIAL' && !allowPartial) throw new PartialResultError();
}

function isPaged(plan: ReadPlan<Column>): plan is PagePlan {
  return plan.page.limit !== undefined;
}

/** A JSON page always has a limit; a sample has as many rows as are drawn. */
function withLimit(plan: ReadPlan<Column>, { rowCount }: StoredResult): PagePlan {
  return { ...plan, page: { ...plan.page, limit: plan.page.limit ?? rowCount } };
}

function findNextPage(page: Page, plan: PagePlan, result: StoredResult, address: PageAddress): NextPage | undefined {
  const { offset, limit } = plan.page;
  if (plan.sample || limit === 0) return undefined;
  const nextOffset = offset + page.leader.rowCount;
  const hasMore = plan.filter ? page.leader.foundCount > page.leader.rowCount : nextOffset < result.rowCount;
  if (!hasMore || page.leader.rowCount === 0) return undefined;
  return { offset: nextOffset, uri: nextUri(address, { limit, offset: nextOffset }) };
}

function withHeader(columns: readonly Column[], lines: PipeStream): Readable {
  return new TextStream(lines, { before: `${csvHeader(columns)}\n` });
}
