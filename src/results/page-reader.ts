import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { quoted, sql } from '../duckdb/sql.js';
import type { StoredResult } from '../executions/execution.js';
import type { PipeStream } from '../processes/read/pipe-stream.js';
import { Reader } from '../processes/read/reader.js';
import type { CopyStatement } from '../processes/read/reader-messages.js';
import type { ReadingClient } from '../processes/read/reading-client.js';
import type { ReadPlan, Sample } from '../read-plan/read-plan.js';
import { storedRows } from '../read-plan/stored-rows.js';
import { ResultStore } from '../storage/storage.module.js';
import type { Column } from '../types/column.js';
import {
  type Format,
  fittingRowsToSql,
  fittingValuesToSql,
  HEADER_BYTES,
  type PageHeader,
  type PagePlan,
  pageToSql,
  parsePageHeader,
  planSizeToSql,
  type ResultSource,
  wholeCsvToSql,
} from './page-to-sql.js';
import { readExactly, readNumber, untilBegun } from './read-text.js';
import { RowTooLargeError, SampleTooLargeError } from './results.errors.js';

/** A page's rows as text, and what is known of them before the first. */
export interface Page {
  readonly header: PageHeader;
  /** The rows that were asked for: fewer than the caller's limit where more would not fit. */
  readonly limit: number;
  /** A line per row; in JSON each begins with a comma. */
  readonly lines: PipeStream;
}

/** What the pages of one request are read from, as what text, and for whom. */
interface PageContext {
  readonly source: ResultSource;
  readonly format: Format;
  readonly client: ReadingClient;
}

/** A plan that draws a sample. */
type SamplePlan = PagePlan & { readonly sample: Sample };

/** A page is read at once if its values are at most this many times the largest text of a page. */
const SAFE_PAGES = 4;

/** Reads pages and whole results as text that the engine writes. */
@Injectable()
export class PageReader {
  constructor(
    private readonly config: Config,
    private readonly reader: Reader,
    private readonly results: ResultStore,
  ) {}

  /**
   * Reads a page, which ends early before its text passes `MAX_PAGE_BYTES`.
   *
   * @throws RowTooLargeError, SampleTooLargeError
   */
  async readPage(result: StoredResult, plan: PagePlan, format: Format, client: ReadingClient): Promise<Page> {
    const context = { source: this.sourceOf(result), format, client };
    if (plan.sample) return this.readSample(context, { ...plan, sample: plan.sample }, result);
    const isSafe = this.isSafe(Math.min(plan.page.limit, result.rowCount), result);
    if (!isSafe) return this.readFittingPage(context, plan);
    const page = await this.readAtOnce(context, plan);
    if (page.header.textBytes <= this.config.MAX_PAGE_BYTES) return page;
    page.lines.destroy();
    return this.readFittingPage(context, plan);
  }

  /**
   * Streams all rows of a plan as CSV, without a header line, in constant memory. Sorting can need
   * more memory than there is: an answer begins only once its rows are sorted.
   */
  streamCsv(result: StoredResult, plan: ReadPlan<Column>, client: ReadingClient): Promise<PipeStream> {
    const path = this.results.pathOf(result.file);
    const toStatement = (held: string) => wholeCsvToSql(plan, sourceAt(held, result));
    return this.reader.readPinned({ priority: 'bulk', client, path, toStatement }, async (text) => {
      if (plan.sortKeys.length > 0) await untilBegun(text);
    });
  }

  /**
   * Whether so many rows can be made into text at once: their values cannot be much more than a
   * page.
   */
  private isSafe(rows: number, { maxRowBytes }: StoredResult): boolean {
    return rows * maxRowBytes <= SAFE_PAGES * this.config.MAX_PAGE_BYTES;
  }

  /** Reads a sample whole or not at all: it has no further pages. */
  private async readSample(context: PageContext, plan: SamplePlan, result: StoredResult): Promise<Page> {
    const { MAX_PAGE_BYTES } = this.config;
    const isSafe = this.isSafe(mostDrawnRows(plan.sample, result.rowCount), result);
    // The rows that are measured must be those that are read.
    const drawn = isSafe ? plan : { ...plan, sample: { seed: randomSeed(), ...plan.sample } };
    if (!isSafe) {
      const sizeBytes = await this.readCount(context, planSizeToSql(drawn, context.source));
      if (sizeBytes > SAFE_PAGES * MAX_PAGE_BYTES) throw new SampleTooLargeError(MAX_PAGE_BYTES);
    }
    const page = await this.readAtOnce(context, drawn);
    if (page.header.textBytes <= MAX_PAGE_BYTES) return page;
    page.lines.destroy();
    throw new SampleTooLargeError(MAX_PAGE_BYTES);
  }

  private async readAtOnce({ source, format, client }: PageContext, plan: PagePlan): Promise<Page> {
    const statement = pageToSql(plan, source, format);
    return this.reader.read({ priority: 'interactive', client, statement }, async (lines) => {
      const header = parsePageHeader(await readExactly(lines, HEADER_BYTES));
      return { header, limit: plan.page.limit, lines };
    });
  }

  private async readFittingPage(context: PageContext, plan: PagePlan): Promise<Page> {
    const { MAX_PAGE_BYTES } = this.config;
    const { source, format } = context;
    // Values first: rows larger than a page are not made text. A value can be wider than its text.
    const values = await this.readCount(context, fittingValuesToSql(plan, source, 2 * MAX_PAGE_BYTES));
    const fitting = fittingRowsToSql(plan, source, format, MAX_PAGE_BYTES, values);
    const rows = values === 0 ? 0 : await this.readCount(context, fitting);
    if (rows === 0) throw new RowTooLargeError(plan.page.offset, MAX_PAGE_BYTES);
    return this.readAtOnce(context, { ...plan, page: { ...plan.page, limit: rows } });
  }

  private readCount({ client }: PageContext, statement: CopyStatement): Promise<number> {
    return this.reader.read({ priority: 'interactive', client, statement }, readNumber);
  }

  private sourceOf(result: StoredResult): ResultSource {
    return sourceAt(this.results.pathOf(result.file), result);
  }
}

/**
 * Rows that a sample exceeds with a probability below one in a billion, whatever the size of its
 * result.
 */
function mostDrawnRows({ count }: Sample, totalRows: number): number {
  const margin = 10 + 7 * Math.sqrt(count);
  return Math.min(totalRows, Math.ceil(count + margin));
}

function randomSeed(): string {
  return String(randomInt(2 ** 47));
}

function sourceAt(path: string, { columns, rowCount }: StoredResult): ResultSource {
  return { rows: storedRows(sql`read_parquet(${quoted(path)})`, columns), totalRows: rowCount };
}
