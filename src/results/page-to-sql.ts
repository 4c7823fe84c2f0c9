import { raw, type Sql, sql } from '../duckdb/sql.js';
import type { CopyStatement } from '../processes/read/reader-messages.js';
import type { ReadPlan } from '../read-plan/read-plan.js';
import { isStoredOrder, readPlanToSql } from '../read-plan/read-plan-to-sql.js';
import type { StoredRows } from '../read-plan/stored-rows.js';
import type { Column } from '../types/column.js';
import { csvCopy, csvRowSql } from '../types/csv-row.js';
import { jsonRowSql, RAW_LINES } from '../types/json-text.js';
import { logicalBytesSql } from '../types/logical-bytes.js';

/** In what text rows are returned. */
export type Format = 'json' | 'csv';

/** A stored result as statements read it. */
export interface ResultSource {
  readonly rows: StoredRows;
  /** Rows of the whole result. */
  readonly totalRows: number;
}

/** A plan whose page has a limit. */
export interface PagePlan extends ReadPlan<Column> {
  readonly page: { readonly offset: number; readonly limit: number };
}

/**
 * Compiles a page to one statement that writes text: the {@link PageHeader} on one line, then each
 * row on a line, after a comma in JSON. A row beyond the limit, which only shows that there is a
 * further page, is not written.
 */
export function pageToSql(plan: PagePlan, source: ResultSource, format: Format): CopyStatement {
  const line = sql`${lineSql(plan, format)} AS line, ${logicalBytesSql(plan.projection)} AS bytes`;
  const text = isStoredOrder(plan) ? storedPageSql(plan, source, line) : foundPageSql(plan, source, line);
  return { ...text, options: RAW_LINES.text };
}

/**
 * A range of stored rows, sorted after their text is made: a LIMIT would keep their order, but make
 * the text in one thread.
 */
function storedPageSql(plan: PagePlan, { rows, totalRows }: ResultSource, line: Sql): Sql {
  return sql`
    WITH found AS MATERIALIZED (${readPlanToSql(plan, rows, totalRows, [rows.rowNumber])}),
    lines AS MATERIALIZED (SELECT ${line}, ${rows.rowNumber} FROM found)
    SELECT ${HEADER} FROM lines UNION ALL (SELECT line FROM lines ORDER BY ${rows.rowNumber})`;
}

/** Filtered or sorted rows are in order as the LIMIT left them. */
function foundPageSql(plan: PagePlan, { rows, totalRows }: ResultSource, line: Sql): Sql {
  return sql`
    WITH found AS MATERIALIZED (${readPlanToSql(plan, rows, totalRows)}),
    lines AS MATERIALIZED (SELECT ${line} FROM found LIMIT ${raw(String(plan.page.limit))})
    SELECT ${HEADER} FROM lines UNION ALL SELECT line FROM lines`;
}

/** Compiles a whole result, filtered and sorted as planned, to CSV without its header line. */
export function wholeCsvToSql(plan: ReadPlan<Column>, source: ResultSource): CopyStatement {
  const { fields, options } = csvCopy(plan.projection, plan.csvNull);
  const text = sql`SELECT ${fields} FROM (${readPlanToSql(plan, source.rows, source.totalRows)})`;
  return { ...text, options: options.text };
}

/**
 * Compiles the query for how many of a page's rows fit into `maxBytes` of text, a number on a line.
 * `rows` bounds how many lines are made to find out.
 */
export function fittingRowsToSql(
  plan: PagePlan,
  source: ResultSource,
  format: Format,
  maxBytes: number,
  rows: number,
): CopyStatement {
  return countFitting(plan, source, sql`strlen(${lineSql(plan, format)}) + 1`, maxBytes, rows);
}

/** Like {@link fittingRowsToSql} but by logical size: for rows that may be too large as lines. */
export function fittingValuesToSql(plan: PagePlan, source: ResultSource, maxBytes: number): CopyStatement {
  return countFitting(plan, source, logicalBytesSql(plan.projection), maxBytes, plan.page.limit);
}

/** Compiles the query for the logical size of all rows of a plan, a number on a line. */
export function planSizeToSql(plan: PagePlan, source: ResultSource): CopyStatement {
  const rows = readPlanToSql({ ...plan, sortKeys: [] }, source.rows, source.totalRows);
  const text = sql`SELECT CAST(coalesce(sum(${logicalBytesSql(plan.projection)}), 0) AS VARCHAR) FROM (${rows})`;
  return { ...text, options: RAW_LINES.text };
}

function countFitting(
  plan: PagePlan,
  { rows, totalRows }: ResultSource,
  bytes: Sql,
  maxBytes: number,
  limit: number,
): CopyStatement {
  const sizes = sql`SELECT ${bytes} AS bytes FROM (${readPlanToSql(plan, rows, totalRows)}) LIMIT ${raw(String(limit))}`;
  const text = sql`
    SELECT CAST(count(*) AS VARCHAR)
    FROM (SELECT sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) AS total FROM (${sizes}))
    WHERE total <= ${raw(String(maxBytes))}`;
  return { ...text, options: RAW_LINES.text };
}

function lineSql(plan: ReadPlan<Column>, format: Format): Sql {
  return format === 'json' ? sql`',' || ${jsonRowSql(plan.projection)}` : csvRowSql(plan.projection, plan.csvNull);
}

const DIGITS = 16;

/** Every number of the header has the same width, so that its length is known. */
function paddedSql(value: Sql): Sql {
  return sql`lpad(CAST(${value} AS VARCHAR), ${raw(String(DIGITS))}, ' ')`;
}

const HEADER = sql`${paddedSql(raw('count(*)'))} || ${paddedSql(raw('coalesce(sum(bytes), 0)'))} || ${paddedSql(
  raw('coalesce(sum(strlen(line) + 1), 0)'),
)} || ${paddedSql(raw('(SELECT count(*) FROM found)'))}`;

/** What stands before a page's rows. */
export interface PageHeader {
  readonly rowCount: number;
  /** Logical size of the rows. */
  readonly sizeBytes: number;
  /** Size of their text. */
  readonly textBytes: number;
  /** Rows found: with a filter, up to one more than the limit. */
  readonly foundCount: number;
}

/** Length of the header's line. */
export const HEADER_BYTES = 4 * DIGITS + 1;

/** Reads the header's line. */
export function parsePageHeader(line: Buffer): PageHeader {
  const [rowCount = 0, sizeBytes = 0, textBytes = 0, foundCount = 0] = [0, 1, 2, 3].map((index) =>
    Number(line.toString('latin1', index * DIGITS, (index + 1) * DIGITS)),
  );
  return { rowCount, sizeBytes, textBytes, foundCount };
}
