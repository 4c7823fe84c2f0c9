import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';

/**
 * Runs a statement on the catalog of a data folder, behind the back of the service, and gives its
 * rows.
 */
export function inCatalogOf(dataDir: string, sql: string): Record<string, SQLOutputValue>[] {
  const catalog = new DatabaseSync(join(dataDir, 'catalog.db'), { timeout: 5_000 });
  const rows = catalog.prepare(sql).all();
  catalog.close();
  return rows;
}
