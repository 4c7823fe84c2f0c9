import type { Migration } from 'kysely/migration';
import * as accountsAndKeys from './001-accounts-and-keys.js';
import * as queries from './002-queries.js';
import * as executions from './003-executions.js';
import * as tables from './004-tables.js';
import * as tableChanges from './005-table-changes.js';
import * as firstStarts from './006-first-starts.js';
import * as resultStorage from './007-result-storage.js';
import * as listings from './008-listings.js';
import * as orphansAndBootstrapKey from './009-orphans-and-bootstrap-key.js';
import * as replacements from './010-replacements.js';

/**
 * Every change of the catalog's tables, in the order of the names. A released migration is never
 * edited. They use Kysely's builders only, with text and integer columns, for PostgreSQL as well.
 */
export const migrations: Record<string, Migration> = {
  '001-accounts-and-keys': accountsAndKeys,
  '002-queries': queries,
  '003-executions': executions,
  '004-tables': tables,
  '005-table-changes': tableChanges,
  '006-first-starts': firstStarts,
  '009-orphans-and-bootstrap-key': orphansAndBootstrapKey,
  '010-replacements': replacements,
  '007-result-storage': resultStorage,
  '008-listings': listings,
};
