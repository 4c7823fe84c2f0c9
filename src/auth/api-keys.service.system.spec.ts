import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SetClock } from '../../test/support/set-clock.js';
import { openTemporaryCatalog, type TemporaryCatalog } from '../../test/support/temporary-catalog.js';
import type { AccountId } from '../catalog/ids.js';
import type { Account } from './account.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { ApiKeysService } from './api-keys.service.js';

describe('ApiKeysService', () => {
  let clock: SetClock;
  let temporary: TemporaryCatalog;
  let keys: ApiKeysService;
  let ada: Account;

  beforeEach(async () => {
    clock = new SetClock();
    temporary = await openTemporaryCatalog();
    const accounts = new AccountsRepository(temporary.catalog);
    keys = new ApiKeysService(new ApiKeysRepository(temporary.catalog), accounts, clock);
    ada = await new AccountsService(accounts, clock).create({ handle: 'ada', type: 'user', plan: 'free' });
  });

  afterEach(() => temporary.close());

  const lastUsedAt = async () => (await keys.list())[0]?.lastUsedAt;

  it('finds whose key a text is', async () => {
    const { text } = await keys.create(ada, { name: 'laptop', scope: 'read' });
    expect(await keys.authenticate(text)).toMatchObject({ account: ada, key: { name: 'laptop', scope: 'read' } });
  });

  it('keeps no key, only its hash and its first characters', async () => {
    const { text } = await keys.create(ada, { name: 'laptop', scope: 'read' });
    const row = await temporary.catalog.selectFrom('api_keys').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(text.slice(0, 11));
    expect(row.prefix).toBe(text.slice(0, 10));
  });

  it('refuses a missing, unknown, revoked and expired key alike', async () => {
    const revoked = await keys.create(ada, { name: 'revoked', scope: 'read' });
    const expired = await keys.create(ada, { name: 'expired', scope: 'read', expiresDays: 1 });
    await keys.revoke(revoked.key.id);
    clock.advance({ seconds: 86_400 });
    for (const text of [undefined, '', 'eider_unknown', revoked.text, expired.text]) {
      const error = { kind: 'unauthenticated', message: 'invalid API Key' };
      await expect(keys.authenticate(text)).rejects.toMatchObject(error);
    }
  });

  it('takes a key until the moment it expires', async () => {
    const { text } = await keys.create(ada, { name: 'short', scope: 'read', expiresDays: 1 });
    clock.advance({ seconds: 86_399 });
    expect((await keys.authenticate(text)).account).toEqual(ada);
  });

  it('notes the last use to the minute', async () => {
    const { text } = await keys.create(ada, { name: 'laptop', scope: 'read' });
    const firstUse = clock.now();
    await keys.authenticate(text);
    clock.advance({ seconds: 59 });
    await keys.authenticate(text);
    expect(await lastUsedAt()).toEqual(firstUse);
    clock.advance({ seconds: 1 });
    await keys.authenticate(text);
    expect(await lastUsedAt()).toEqual(clock.now());
  });

  it('keeps the time at which a key was first revoked', async () => {
    const { key } = await keys.create(ada, { name: 'laptop', scope: 'read' });
    const revokedAt = clock.now();
    await keys.revoke(key.id);
    clock.advance({ seconds: 5 });
    await keys.revoke(key.id);
    expect((await keys.list())[0]?.revokedAt).toEqual(revokedAt);
  });

  it('says which key is missing', async () => {
    await expect(keys.revoke('nope')).rejects.toMatchObject({ kind: 'not_found', code: 'api_key_not_found' });
  });

  it('lists the keys of one account or of all', async () => {
    const bob = { ...ada, id: 'bob' as AccountId, handle: 'bob' };
    await new AccountsRepository(temporary.catalog).insert(bob);
    await keys.create(ada, { name: 'of ada', scope: 'read' });
    await keys.create(bob, { name: 'of bob', scope: 'read' });
    expect((await keys.list(bob)).map((key) => key.name)).toEqual(['of bob']);
    expect((await keys.list()).map((key) => key.name).sort()).toEqual(['of ada', 'of bob']);
  });

  describe('with BOOTSTRAP_API_KEY', () => {
    const set = (text: string) => keys.setBootstrapKey(ada, text);
    const isValid = (text: string) =>
      keys.authenticate(text).then(
        () => true,
        () => false,
      );

    it('makes one key of scope admin, and changes nothing while the value stays', async () => {
      await set('chosen-by-the-operator');
      const made = await keys.list();
      expect(made).toEqual([expect.objectContaining({ name: 'bootstrap', scope: 'admin', accountId: ada.id })]);
      clock.advance({ seconds: 5 });
      expect(await set('chosen-by-the-operator')).toEqual({ keyId: made[0]?.id, isRefused: false, replaced: [] });
      expect(await keys.list()).toEqual(made);
      expect((await keys.authenticate('chosen-by-the-operator')).account).toEqual(ada);
    });

    it('replaces the key when the value changes, and revokes the one before', async () => {
      const first = await set('the-first-value-of-the-key');
      const own = await keys.create(ada, { name: 'bootstrap', scope: 'admin' });
      const second = await set('the-second-value-of-the-key');
      expect(second.replaced).toEqual([first.keyId]);
      expect(await isValid('the-first-value-of-the-key')).toBe(false);
      expect(await isValid('the-second-value-of-the-key')).toBe(true);
      expect(await isValid(own.text)).toBe(true);
      expect((await keys.list()).filter(({ isBootstrap, revokedAt }) => isBootstrap && !revokedAt)).toHaveLength(1);
    });

    it('never brings a revoked key back', async () => {
      const { keyId } = await set('the-first-value-of-the-key');
      await keys.revoke(keyId);
      expect(await set('the-first-value-of-the-key')).toEqual({ keyId, isRefused: true, replaced: [] });
      await set('the-second-value-of-the-key');
      expect(await set('the-first-value-of-the-key')).toMatchObject({ keyId, isRefused: true });
      expect(await isValid('the-first-value-of-the-key')).toBe(false);
      expect(await isValid('the-second-value-of-the-key')).toBe(true);
    });

    it('takes over a key that was made otherwise, as its one record', async () => {
      const { key, text } = await keys.create(ada, { name: 'first key', scope: 'admin' });
      const before = await set('the-first-value-of-the-key');
      expect(await set(text)).toEqual({ keyId: key.id, isRefused: false, replaced: [before.keyId] });
      expect((await keys.authenticate(text)).key).toMatchObject({ id: key.id, name: 'bootstrap', isBootstrap: true });
    });

    it('ends the keys that each start of an earlier version added', async () => {
      await set('the-newest-value-of-the-key');
      const old = await keys.create(ada, { name: 'old', scope: 'admin' });
      const older = await keys.create(ada, { name: 'older', scope: 'admin' });
      const ids = [old.key.id, older.key.id];
      await temporary.catalog.updateTable('api_keys').set({ is_bootstrap: 1 }).where('id', 'in', ids).execute();
      expect((await set('the-newest-value-of-the-key')).replaced.toSorted()).toEqual(ids.toSorted());
    });
  });
});
