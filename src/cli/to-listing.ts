/**
 * A line of a listing: values by column. Absent ones are left out of JSON, and empty in a table.
 */
export type ListingRow = Readonly<Record<string, string | number | boolean | undefined>>;

/** A listing as text: JSON, or a table under the column names of the first row. */
export function toListing(rows: readonly ListingRow[], json: boolean): string {
  if (json) return JSON.stringify(rows, undefined, 2);
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return 'none';
  const lines = [
    columns.map((column) => column.toUpperCase()),
    ...rows.map((row) => columns.map((column) => String(row[column] ?? ''))),
  ];
  const widths = columns.map((_column, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
