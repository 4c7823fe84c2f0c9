import type { Account } from '../auth/account.js';
import type { AccountsService } from '../auth/accounts.service.js';
import { InvalidRequestError } from '../http/common.errors.js';

/** The account that a command works for: the one named, or the only one there is. */
export async function chooseAccount(accounts: AccountsService, handle: string | undefined): Promise<Account> {
  if (handle !== undefined) return await accounts.getByHandle(handle);
  const [only, another] = await accounts.list();
  if (!only) throw new InvalidRequestError('There is no account yet: add one with `account add HANDLE`');
  if (another) throw new InvalidRequestError('There are several accounts: name one with --account');
  return only;
}
