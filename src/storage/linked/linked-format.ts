/** How files of the operator can be written. */
export type LinkedFormat = 'parquet' | 'csv' | 'ndjson';
