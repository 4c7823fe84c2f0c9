import type { Catalog } from '../../catalog/catalog.js';
import type { Config } from '../../config/config.js';
import { type Check, type DoctorOptions, examineAll, type Finding } from './check.js';
import { checkCatalog, ExaminedCatalog, withCatalog } from './check-catalog.js';
import { checkContents } from './check-contents.js';
import { checkExecutions } from './check-executions.js';
import { FOLDER_CHECKS } from './check-folder.js';
import { checkOrphans } from './check-orphans.js';
import { checkQuotas } from './check-quotas.js';
import { checkResults } from './check-results.js';
import { checkTables } from './check-tables.js';

/** The findings of all checks of a data folder, with or without a server, by their names. */
export async function examineData(config: Config, options: DoctorOptions): Promise<Map<string, Finding>> {
  const catalog = new ExaminedCatalog(config);
  try {
    return await examineAll([...FOLDER_CHECKS, ...catalogChecks(catalog)], config, options);
  } finally {
    await catalog.close();
  }
}

function catalogChecks(examined: ExaminedCatalog): Check[] {
  const ofCatalog = (
    name: string,
    work: (catalog: Catalog, config: Config, options: DoctorOptions) => Promise<string>,
  ): Check => ({
    name,
    run: (config, options) => withCatalog(examined, (catalog) => work(catalog, config, options)),
  });
  return [
    { name: 'catalog', run: () => checkCatalog(examined) },
    ofCatalog('tables', checkTables),
    ofCatalog('results', checkResults),
    ofCatalog('executions', checkExecutions),
    ofCatalog('quotas', checkQuotas),
    ofCatalog('orphans', checkOrphans),
    ofCatalog('contents', checkContents),
  ];
}
