import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.js';

/**
 * Copies a catalog as it is at one instant to a new file, while others read and write. The copy has
 * no log.
 */
export async function copyCatalog(catalog: Kysely<Database>, path: string): Promise<void> {
  await sql`VACUUM INTO ${path}`.execute(catalog);
}
