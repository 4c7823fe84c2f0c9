import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.js';

/** Finds damage of a catalog's file, and rows that refer to missing rows. */
export async function findDamage(catalog: Kysely<Database>): Promise<string[]> {
  const checked = await sql<{ quick_check: string }>`PRAGMA quick_check`.execute(catalog);
  const damages = checked.rows.map(({ quick_check }) => quick_check).filter((text) => text !== 'ok');
  const dangling = await sql<{ table: string; parent: string }>`PRAGMA foreign_key_check`.execute(catalog);
  return [...damages, ...dangling.rows.map(({ table, parent }) => `a row of ${table} refers to no row of ${parent}`)];
}
