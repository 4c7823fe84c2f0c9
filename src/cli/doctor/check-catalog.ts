import { AccountsRepository } from '../../auth/accounts.repository.js';
import { Catalog } from '../../catalog/catalog.js';
import { hasCatalog } from '../../catalog/data-folder.js';
import { findDamage } from '../../catalog/sqlite/find-damage.js';
import type { Config } from '../../config/config.js';
import { OperatorError } from '../../config/operator-error.js';
import { ProblemsError, type Warning } from './check.js';
import { hasDataFolder } from './check-folder.js';

/** The catalog of a data folder, opened once for all checks. */
export class ExaminedCatalog {
  private opened: Promise<Catalog | undefined> | undefined;

  constructor(private readonly config: Config) {}

  /** Returns nothing where there is none, which `doctor` never creates. @throws {OperatorError} */
  open(): Promise<Catalog | undefined> {
    this.opened ??= openExisting(this.config);
    return this.opened;
  }

  async close(): Promise<void> {
    await (await this.opened?.catch(() => undefined))?.destroy();
  }
}

/**
 * Gives `work` the catalog; returns what to say where there is none, or none that can be used,
 * which {@link checkCatalog} explains.
 */
export async function withCatalog<T>(
  examined: ExaminedCatalog,
  work: (catalog: Catalog) => Promise<T>,
): Promise<T | string | Warning> {
  try {
    const catalog = await examined.open();
    return catalog ? await work(catalog) : 'none yet';
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return { warning: 'not checked: the catalog cannot be used' };
  }
}

/** Opens the catalog, checks its file, and counts its accounts. */
export async function checkCatalog(examined: ExaminedCatalog): Promise<string> {
  const catalog = await examined.open();
  if (!catalog) return 'none yet';
  const damage = await findDamage(catalog);
  if (damage.length > 0) throw new ProblemsError(damage.map((text) => `catalog.db is damaged: ${text}`));
  return `opens, ${(await new AccountsRepository(catalog).list()).length} accounts`;
}

async function openExisting(config: Config): Promise<Catalog | undefined> {
  if (!(await hasDataFolder(config)) || !hasCatalog(config.DATA_DIR)) return undefined;
  return await Catalog.openExisting(config.DATA_DIR);
}
