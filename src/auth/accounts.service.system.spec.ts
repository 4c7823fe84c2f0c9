import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SetClock } from '../../test/support/set-clock.js';
import { openTemporaryCatalog, type TemporaryCatalog } from '../../test/support/temporary-catalog.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';

describe('AccountsService', () => {
  const clock = new SetClock();
  let temporary: TemporaryCatalog;
  let accounts: AccountsService;

  beforeEach(async () => {
    temporary = await openTemporaryCatalog();
    accounts = new AccountsService(new AccountsRepository(temporary.catalog), clock);
  });

  afterEach(() => temporary.close());

  it('finds a created account by handle and by id', async () => {
    const created = await accounts.create({ handle: 'ada', type: 'team', plan: 'plus' });
    expect(created).toMatchObject({ handle: 'ada', type: 'team', plan: 'plus', createdAt: clock.now() });
    expect(await accounts.getByHandle('ada')).toEqual(created);
    expect(await accounts.get(created.id)).toEqual(created);
  });

  it('lists accounts, oldest first', async () => {
    await accounts.create({ handle: 'zoe', type: 'user', plan: 'free' });
    clock.advance({ seconds: 1 });
    await accounts.create({ handle: 'ada', type: 'user', plan: 'free' });
    expect((await accounts.list()).map((account) => account.handle)).toEqual(['zoe', 'ada']);
  });

  it('refuses a handle that is taken', async () => {
    await accounts.create({ handle: 'ada', type: 'user', plan: 'free' });
    const again = accounts.create({ handle: 'ada', type: 'team', plan: 'free' });
    await expect(again).rejects.toMatchObject({
      kind: 'conflict',
      message: 'There is an account ada already: choose another handle',
    });
  });

  it('refuses a handle that cannot be a namespace', async () => {
    const main = accounts.create({ handle: 'main', type: 'user', plan: 'free' });
    await expect(main).rejects.toMatchObject({ kind: 'invalid', code: 'invalid_handle' });
  });

  it('says which account is missing', async () => {
    await expect(accounts.getByHandle('bob')).rejects.toMatchObject({
      kind: 'not_found',
      message: 'There is no account bob: eider account list shows all',
    });
  });
});
