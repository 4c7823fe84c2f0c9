import type { Catalog } from '../../catalog/catalog.js';
import type { Config } from '../../config/config.js';
import { StoredBytesRepository } from '../../executions/stored-bytes.repository.js';
import { countOf, type DoctorOptions, ProblemsError } from './check.js';

/**
 * Whether what the results of each account are counted as is what they take. What tables take is
 * summed up whenever it is needed.
 */
export async function checkQuotas(catalog: Catalog, _config: Config, { repair }: DoctorOptions): Promise<string> {
  const repository = new StoredBytesRepository(catalog);
  const accounts = await repository.list();
  const wrong = accounts.filter(({ countedBytes, bytes }) => countedBytes !== bytes);
  if (wrong.length === 0) return `the results of ${countOf(accounts.length, 'account')} are counted right`;
  if (!repair)
    throw new ProblemsError(
      wrong.map(
        ({ handle, countedBytes, bytes }) =>
          `the results of ${handle} are counted as ${countedBytes} bytes, and take ${bytes}`,
      ),
    );
  for (const { accountId } of wrong) await repository.recount(accountId);
  return `counted the results of ${wrong.map(({ handle }) => handle).join(', ')} anew`;
}
