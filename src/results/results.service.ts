import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { Execution, StoredResult } from '../executions/execution.js';
import { toWireState } from '../executions/execution-state.js';
import { ExecutionsService } from '../executions/executions.service.js';
import { hasTag } from '../http/conditional-requests.js';
import { bindReadPlan } from '../read-plan/bind-read-plan.js';
import { parseReadPlan } from '../read-plan/parse-read-plan.js';
import type { ReadPlan, ReadRequest } from '../read-plan/read-plan.js';
import type { Column } from '../types/column.js';
import { csvHeader } from '../types/csv-row.js';
import { AnswerText } from './answer-text.js';
import { toResultsBody } from './dto/results.body.js';
import { entityTagOf } from './entity-tag.js';
import { jsonPageText } from './json-page.js';
import { type NextPage, nextUri, type PageAddress } from './next-uri.js';
import { type Page, PageReader } from './page-reader.js';
import type { Format, PagePlan } from './page-to-sql.js';
import type { ReadCall } from './read-call.decorator.js';
import { NoCsvResultError, PartialResultError } from './results.errors.js';

/** A whole result of more bytes is not worth the time that brotli and gzip take. */
const LARGE_BYTES = 1e6;

/** What a caller asks of a result. */
export interface ResultRequest extends ReadCall {
  readonly read: Omit<ReadRequest, 'format'>;
  readonly allowPartial: boolean;
  /** What of the request was ignored. */
  readonly warnings: string[] | undefined;
}

/** The body of an answer, and the page after it where headers report that. */
export interface ResultAnswer {
  readonly body: Readable | string;
  readonly next?: NextPage;
  /** Whether the body is a whole result of many bytes. */
  readonly isLarge?: boolean;
  /** What identifies the answer, and until when it stays the same. */
  readonly identity?: { readonly tag: string; readonly expiresAt: Date };
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
  readJson(execution: Execution, request: ResultRequest): Promise<ResultAnswer> {
    return this.read(execution, request, 'json', async (current, parsed) => {
      const status = this.executions.statusOf(current);
      const { warnings } = request;
      const { result } = current;
      if (!result) return { body: JSON.stringify(toResultsBody(status, warnings)) };
      refuseUnaskedPartial(current, request);
      const plan = withLimit(bindReadPlan(parsed, result.columns), result);
      const page = await this.pages.readPage(result, plan, 'json', request.client);
      const next = this.findNextPage(page, plan, result, { ...request, path: pathOf(current, 'results') });
      return { body: jsonPageText(toResultsBody(status, warnings, { page, columns: plan.projection, next }), page) };
    });
  }

  /**
   * One page, or without a limit the whole result.
   *
   * @throws NoCsvResultError if there is no result to read.
   */
  readCsv(execution: Execution, request: ResultRequest): Promise<ResultAnswer> {
    return this.read(execution, request, 'csv', async (current, parsed) => {
      const { result } = current;
      if (!result) throw new NoCsvResultError(toWireState(current.state));
      refuseUnaskedPartial(current, request);
      const plan = bindReadPlan(parsed, result.columns);
      const before = `${csvHeader(plan.projection)}\n`;
      if (!isPaged(plan)) {
        const rows = await this.pages.streamCsv(result, plan, request.client);
        return { body: new AnswerText(rows, { before }), isLarge: result.logicalBytes > LARGE_BYTES };
      }
      const page = await this.pages.readPage(result, plan, 'csv', request.client);
      const next = this.findNextPage(page, plan, result, { ...request, path: pathOf(current, 'results/csv') });
      return { body: new AnswerText(page.lines, { before }), next };
    });
  }

  /** Reads an execution; if its result was deleted meanwhile, the execution as it is now. */
  private async read(
    execution: Execution,
    request: ResultRequest,
    format: Format,
    toAnswer: (current: Execution, parsed: ReadPlan<string>) => Promise<ResultAnswer>,
  ): Promise<ResultAnswer> {
    request.noteExecution(execution.id);
    const parsed = parseReadPlan({ ...request.read, format }, this.config.MAX_PAGE_ROWS);
    const tag = entityTagOf(execution, format, request, parsed);
    const identity = tag && { identity: { tag, expiresAt: execution.expiresAt } };
    if (identity && hasTag(request.ifNoneMatch, identity.identity.tag)) return { body: '', ...identity };
    if (identity && execution.result && request.isHead) {
      refuseUnaskedPartial(execution, request);
      bindReadPlan(parsed, execution.result.columns);
      return { body: Readable.from([]), ...identity };
    }
    try {
      return { ...(await toAnswer(execution, parsed)), ...identity };
    } catch (error) {
      const current = execution.result && (await this.executions.findCurrent(execution));
      if (!current || current.result) throw error;
      return await toAnswer(current, parsed);
    }
  }

  private findNextPage(
    { header }: Page,
    { page, filter, sample }: PagePlan,
    result: StoredResult,
    address: PageAddress,
  ): NextPage | undefined {
    const offset = page.offset + header.rowCount;
    const hasMore = filter ? header.foundCount > header.rowCount : offset < result.rowCount;
    if (sample || header.rowCount === 0 || !hasMore) return undefined;
    const origin = this.config.PUBLIC_URL ?? address.origin;
    return { offset, uri: nextUri({ ...address, origin }, { limit: page.limit, offset }) };
  }
}

/** Not the path of the request: the next page of a latest result must come from the same run. */
function pathOf({ id }: Execution, endpoint: string): string {
  return `/api/v1/execution/${id}/${endpoint}`;
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
