import { AccountsRepository } from '../../auth/accounts.repository.js';
import { Catalog } from '../../catalog/catalog.js';
import { hasCatalog } from '../../catalog/data-folder.js';
import type { Config } from '../../config/config.js';
import { hasDataFolder } from './check-folder.js';

/**
 * Gives `work` the catalog of the data folder; returns what to say where there is none, which
 * `doctor` never creates.
 */
export async function withCatalog(config: Config, work: (catalog: Catalog) => Promise<string>): Promise<string> {
  if (!(await hasDataFolder(config)) || !hasCatalog(config.DATA_DIR)) return 'none yet';
  const catalog = await Catalog.open(config.DATA_DIR);
  try {
    return await work(catalog);
  } finally {
    await catalog.destroy();
  }
}

/** Opens the catalog and counts its accounts. */
export function checkCatalog(config: Config): Promise<string> {
  return withCatalog(config, async (catalog) => {
    const accounts = await new AccountsRepository(catalog).list();
    return `opens, ${accounts.length} accounts`;
  });
}
