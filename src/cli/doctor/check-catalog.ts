import { AccountsRepository } from '../../auth/accounts.repository.js';
import { Catalog } from '../../catalog/catalog.js';
import { hasCatalog } from '../../catalog/data-folder.js';
import { findDamage } from '../../catalog/sqlite/find-damage.js';
import type { Config } from '../../config/config.js';
import { OperatorError } from '../../config/operator-error.js';
import { ProblemsError, type Warning } from './check.js';
import { hasDataFolder } from './check-folder.js';

/**
 * Gives `work` the catalog of the data folder; returns what to say where there is none, which
 * `doctor` never creates, or none that can be used, which {@link checkCatalog} explains.
 */
export async function withCatalog<T>(
  config: Config,
  work: (catalog: Catalog) => Promise<T>,
): Promise<T | string | Warning> {
  try {
    return (await inCatalog(config, work)) ?? 'none yet';
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { warning: 'not checked: the catalog cannot be used' };
  }
}

/** Opens the catalog, checks its file, and counts its accounts. */
export async function checkCatalog(config: Config): Promise<string> {
  const checked = await inCatalog(config, async (catalog) => {
    const damage = await findDamage(catalog);
    if (damage.length > 0) throw new ProblemsError(damage.map((text) => `catalog.db is damaged: ${text}`));
    return `opens, ${(await new AccountsRepository(catalog).list()).length} accounts`;
  });
  return checked ?? 'none yet';
}

async function inCatalog<T>(config: Config, work: (catalog: Catalog) => Promise<T>): Promise<T | undefined> {
  if (!(await hasDataFolder(config)) || !hasCatalog(config.DATA_DIR)) return undefined;
  const catalog = await Catalog.openExisting(config.DATA_DIR);
  try {
    return await work(catalog);
  } finally {
    await catalog.destroy();
  }
}
