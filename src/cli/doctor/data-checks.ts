import type { Catalog } from '../../catalog/catalog.js';
import type { Config } from '../../config/config.js';
import type { Check, DoctorOptions } from './check.js';
import { checkCatalog, withCatalog } from './check-catalog.js';
import { checkContents } from './check-contents.js';
import { checkExecutions } from './check-executions.js';
import { FOLDER_CHECKS } from './check-folder.js';
import { checkOrphans } from './check-orphans.js';
import { checkQuotas } from './check-quotas.js';
import { checkResults } from './check-results.js';
import { checkTables } from './check-tables.js';

/** What must hold in a data folder, with or without a server. */
export const DATA_CHECKS: readonly Check[] = [
  ...FOLDER_CHECKS,
  { name: 'catalog', run: checkCatalog },
  ofCatalog('tables', checkTables),
  ofCatalog('results', checkResults),
  ofCatalog('executions', checkExecutions),
  ofCatalog('quotas', checkQuotas),
  ofCatalog('orphans', checkOrphans),
  ofCatalog('contents', checkContents),
];

/** A check of what the catalog refers to. */
function ofCatalog(
  name: string,
  work: (catalog: Catalog, config: Config, options: DoctorOptions) => Promise<string>,
): Check {
  return { name, run: (config, options) => withCatalog(config, (catalog) => work(catalog, config, options)) };
}
