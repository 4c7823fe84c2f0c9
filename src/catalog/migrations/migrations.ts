import type { Migration } from 'kysely/migration';
import * as accountsAndKeys from './001-accounts-and-keys.js';
import * as queries from './002-queries.js';
import * as executions from './003-executions.js';
import * as tables from './004-tables.js';
import * as tableChanges from './005-table-changes.js';
import * as firstStarts from './006-first-starts.js';
import * as resultStorage from './007-result-storage.js';
import * as listings from './008-listings.js';

/**
 * Every change of the catalog's tables, applied in the order of the names. Once released, a migration is never edited:
 * the next change is a new one. They use Kysely's builders only, with text and integer columns, so that they hold for
 * PostgreSQL, too.
 */
export const migrations: Record<string, Migration> = {
  '001-accounts-and-keys': accountsAndKeys,
  '002-queries': queries,
  '003-executions': executions,
  '004-tables': tables,
  '005-table-changes': tableChanges,
  '006-first-starts': firstStarts,
  '007-result-storage': resultStorage,
  '008-listings': listings,
};
