import { readFileSync } from 'node:fs';
import { copyFile, mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { PreparedFolder } from './prepared-folder.js';

/** An instant before every retention and grace time. */
export const LONG_AGO = '2020-01-01T00:00:00.000Z';

/** The key of a first start. */
export function readKey({ dataDir }: PreparedFolder): string {
  return readFileSync(join(dataDir, 'first-key'), 'utf8').trim();
}

/** Takes the last change of its tables out of the catalog. */
export function makeOlder(folder: PreparedFolder): void {
  folder.inCatalog('ALTER TABLE executions DROP COLUMN replacements');
  folder.inCatalog("DELETE FROM kysely_migration WHERE name = '010-replacements'");
}

/** Results that are expired, a removed part, and files that belong to nothing. */
export async function prepareSweep(folder: PreparedFolder): Promise<void> {
  const { spare } = folder.known;
  folder.ledger.forget(spare);
  folder.inCatalog(`UPDATE executions SET expires_at = '${LONG_AGO}' WHERE id IN ('${spare.join("', '")}')`);
  folder.inCatalog(`UPDATE removed_parts SET removed_at = '${LONG_AGO}'`);
  const [blob] = folder.inCatalog(`SELECT result_file FROM executions WHERE id = '${folder.known.late}'`);
  const file = String(blob?.result_file);
  for (const store of ['results', 'tables']) {
    const target = join(folder.dataDir, store, 'ZZ');
    await mkdir(target, { recursive: true });
    const orphan = join(target, `01M000000000000000000000ZZ${store === 'results' ? '-1' : ''}.parquet`);
    await copyFile(join(folder.dataDir, 'results', file.slice(24, 26), file), orphan);
    await utimes(orphan, new Date(LONG_AGO), new Date(LONG_AGO));
  }
}

/** An execution that was running when a server was killed. */
export function makeRunning(folder: PreparedFolder): void {
  const [row] = folder.inCatalog(`
    INSERT INTO executions (id, account_id, sql, parameters, parameters_key, performance, state, attempt,
      read_private_table, submitted_at, execution_started_at, expires_at, trigger, submitted_by)
    SELECT '01M000000000000000000000AA', account_id, 'SELECT 6 AS n', parameters, parameters_key, performance,
      'EXECUTING', 1, 0, submitted_at, execution_started_at, expires_at, trigger, submitted_by
    FROM executions WHERE id = '${folder.known.late}' RETURNING id`);
  folder.ledger.started.add(String(row?.id));
}
