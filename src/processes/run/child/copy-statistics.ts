import type { Row } from '../../../duckdb/connection/connection.js';
import { identifier } from '../../../duckdb/sql.js';

/** Statistics of a written column: NULLs, and the least and greatest value if there is one. */
export interface ColumnStatistics {
  readonly nullCount: number;
  readonly min?: string;
  readonly max?: string;
}

/** Statistics of a written file, by `RETURN_STATS`. */
export interface CopyStatistics {
  readonly rowCount: number;
  readonly fileBytes: number;
  of(columnName: string): ColumnStatistics;
}

type JsonMap<V> = readonly { readonly key: string; readonly value: V }[];

/**
 * Parses the row that `COPY ... (RETURN_STATS true)` returns: file name, count, sizes, statistics.
 */
export function parseCopyStatistics(row: Row): CopyStatistics {
  const [, count, fileBytes, , statistics] = row;
  const byColumn = new Map(
    (statistics as unknown as JsonMap<JsonMap<string>>).map(({ key, value }) => [key, toColumnStatistics(value)]),
  );
  return {
    rowCount: Number(count),
    fileBytes: Number(fileBytes),
    of: (name) => {
      // The engine names columns as quoted identifiers.
      const column = byColumn.get(identifier(name).text);
      if (!column) throw new Error(`The engine returned no statistics of a column of the result`);
      return column;
    },
  };
}

function toColumnStatistics(entries: JsonMap<string>): ColumnStatistics {
  const { null_count, min, max } = Object.fromEntries(entries.map(({ key, value }) => [key, value]));
  const bounds = min === undefined || max === undefined ? {} : { min, max };
  return { nullCount: Number(null_count), ...bounds };
}
