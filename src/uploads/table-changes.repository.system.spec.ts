import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SetClock } from '../../test/support/set-clock.js';
import { openTemporaryCatalog, type TemporaryCatalog } from '../../test/support/temporary-catalog.js';
import type { Plan } from '../auth/account.js';
import { AccountsRepository } from '../auth/accounts.repository.js';
import type { AccountId } from '../catalog/ids.js';
import type { NewTable, TablePart } from './table.js';
import { TableChangesRepository } from './table-changes.repository.js';
import { TablesRepository } from './tables.repository.js';

const COLUMNS = [{ name: 'size', type: { kind: 'scalar', name: 'BIGINT' }, nullable: true }] as const;

const ADA = 'ada' as AccountId;
const BOB = 'bob' as AccountId;

describe('TableChangesRepository', () => {
  let clock: SetClock;
  let temporary: TemporaryCatalog;
  let tables: TablesRepository;
  let changes: TableChangesRepository;

  beforeEach(async () => {
    clock = new SetClock();
    temporary = await openTemporaryCatalog();
    tables = new TablesRepository(temporary.catalog);
    changes = new TableChangesRepository(temporary.catalog, clock);
    await givenAccount('ada', 'free');
  });

  afterEach(() => temporary.close());

  async function givenAccount(handle: string, plan: Plan): Promise<void> {
    const account = { id: handle as AccountId, handle, type: 'user', plan, createdAt: clock.now() } as const;
    await new AccountsRepository(temporary.catalog).insert(account);
  }

  const part = (blob: string, { rowCount = 10, sizeBytes = 1_000 } = {}): TablePart => ({ blob, rowCount, sizeBytes });

  const newTable = (parts: TablePart[], more: Partial<NewTable> = {}): NewTable => ({
    accountId: ADA,
    name: 'sizes',
    description: '',
    isPrivate: false,
    columns: COLUMNS,
    parts,
    ...more,
  });

  const find = (name = 'sizes') => tables.find({ namespace: 'ada', name });
  const blobsOf = async (name = 'sizes') => (await find(name))?.parts.map(({ blob }) => blob);
  const idOf = async (name = 'sizes') => (await find(name))?.id ?? 'none';

  async function removedBlobs(): Promise<string[]> {
    const rows = await temporary.catalog.selectFrom('removed_parts').select('blob').orderBy('blob').execute();
    return rows.map(({ blob }) => blob);
  }

  it('keeps what a table is', async () => {
    await changes.create(newTable([part('a')], { description: 'Of things', isPrivate: true }));
    expect(await find()).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      accountId: ADA,
      namespace: 'ada',
      name: 'sizes',
      description: 'Of things',
      isPrivate: true,
      columns: COLUMNS,
      parts: [part('a')],
      source: undefined,
    });
  });

  it('refuses a name that is taken, and changes nothing', async () => {
    await changes.create(newTable([part('a')]));
    await expect(changes.create(newTable([part('b')]))).rejects.toMatchObject({
      kind: 'conflict',
      code: 'table_exists',
    });
    expect(await blobsOf()).toEqual(['a']);
  });

  it('adds parts behind those that are there', async () => {
    await changes.create(newTable([part('a'), part('b')]));
    await changes.append(await idOf(), [part('c'), part('d')]);
    await changes.append(await idOf(), [part('e')]);
    expect(await blobsOf()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('lets the first rows take the place of the empty part', async () => {
    await changes.create(newTable([part('empty', { rowCount: 0 })]));
    await changes.append(await idOf(), [part('a')]);
    expect([await blobsOf(), await removedBlobs()]).toEqual([['a'], ['empty']]);
  });

  it('lands every one of many appends at once', async () => {
    await changes.create(newTable([part('0')]));
    const id = await idOf();
    const blobs = Array.from({ length: 20 }, (_, index) => `blob-${index}`);
    await Promise.all(blobs.map((blob) => changes.append(id, [part(blob)])));
    expect((await blobsOf())?.toSorted()).toEqual(['0', ...blobs].toSorted());
  });

  it('refuses an append to a table that was overwritten, and leaves the new one as it is', async () => {
    await changes.create(newTable([part('old')]));
    const began = await idOf();
    await changes.replace(newTable([part('new')]));
    await expect(changes.append(began, [part('late')])).rejects.toMatchObject({
      kind: 'conflict',
      code: 'table_replaced',
    });
    expect([await blobsOf(), await removedBlobs()]).toEqual([['new'], ['old']]);
  });

  it('overwrites the rows and all that describes them, and keeps when the table was created', async () => {
    await changes.create(newTable([part('old')], { description: 'old', isPrivate: true }));
    const createdAt = clock.now();
    clock.advance({ seconds: 60 });
    await changes.replace(newTable([part('new', { rowCount: 7 })], { description: 'new', columns: [] }));
    const { tables: listed } = await tables.list(ADA, { limit: 10, offset: 0 });
    const expected = {
      description: 'new',
      isPrivate: false,
      columns: [],
      rowCount: 7,
      createdAt,
      updatedAt: clock.now(),
    };
    expect(listed).toEqual([expect.objectContaining(expected)]);
  });

  it('does not overwrite a linked table', async () => {
    await changes.create(newTable([], { source: { format: 'csv', pattern: '/data/*.csv' } }));
    await expect(changes.replace(newTable([part('a')]))).rejects.toMatchObject({ code: 'linked_table' });
  });

  it('puts one empty part in the place of all when cleared', async () => {
    await changes.create(newTable([part('a'), part('b')]));
    await changes.clear(await idOf(), part('empty', { rowCount: 0 }));
    expect([await blobsOf(), await removedBlobs()]).toEqual([['empty'], ['a', 'b']]);
  });

  it('deletes a table once', async () => {
    await changes.create(newTable([part('a')]));
    const id = await idOf();
    expect([await changes.delete(id), await changes.delete(id)]).toEqual([true, false]);
    expect([await find(), await removedBlobs()]).toEqual([undefined, ['a']]);
  });

  it('merges parts in their place', async () => {
    await changes.create(newTable([part('a'), part('b')]));
    await changes.append(await idOf(), [part('c')]);
    await changes.append(await idOf(), [part('d')]);
    expect(await changes.merge(await idOf(), ['b', 'c'], part('bc'))).toBe(true);
    expect([await blobsOf(), await removedBlobs()]).toEqual([
      ['a', 'bc', 'd'],
      ['b', 'c'],
    ]);
  });

  it('drops a merge of parts that are not there any more', async () => {
    await changes.create(newTable([part('a'), part('b')]));
    const id = await idOf();
    await changes.clear(id, part('empty', { rowCount: 0 }));
    expect(await changes.merge(id, ['a', 'b'], part('ab'))).toBe(false);
    expect(await blobsOf()).toEqual(['empty']);
  });

  it('refuses what the plan has no room for, says which plan has, and changes nothing', async () => {
    await changes.create(newTable([part('a', { sizeBytes: 900_000 })]));
    await expect(changes.append(await idOf(), [part('b', { sizeBytes: 200_000 })])).rejects.toMatchObject({
      kind: 'payment_required',
      code: 'storage_full',
      message: 'The plan free allows 1 MB of tables, and with this there would be 1.1 MB: the plan plus allows 15 GB',
    });
    expect([await blobsOf(), await removedBlobs()]).toEqual([['a'], []]);
  });

  it('counts an overwrite without what it overwrites', async () => {
    await changes.create(newTable([part('a', { sizeBytes: 900_000 })]));
    await changes.replace(newTable([part('b', { sizeBytes: 1_000_000 })]));
    expect(await blobsOf()).toEqual(['b']);
  });

  it('lets an account that has too much for its plan get rid of some', async () => {
    await givenAccount('bob', 'premium');
    const large = (blob: string) => part(blob, { sizeBytes: 2_000_000 });
    await changes.create(newTable([large('a')], { accountId: BOB, name: 'one' }));
    await changes.create(newTable([large('b')], { accountId: BOB, name: 'two' }));
    await temporary.catalog.updateTable('accounts').set({ plan: 'free' }).where('id', '=', BOB).execute();
    await changes.replace(newTable([part('c')], { accountId: BOB, name: 'one' }));
    const { id } = (await tables.find({ namespace: 'bob', name: 'one' })) ?? { id: '' };
    await changes.clear(id, part('d', { rowCount: 0, sizeBytes: 100 }));
    await expect(changes.append(id, [part('e')])).rejects.toMatchObject({ code: 'storage_full' });
  });

  it('lets only so many of ten changes at once through as there is room for', async () => {
    const attempts = Array.from({ length: 10 }, (_, index) =>
      changes.create(newTable([part(`blob-${index}`, { sizeBytes: 300_000 })], { name: `t${index}` })),
    );
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect((await tables.list(ADA, { limit: 20, offset: 0 })).tables).toHaveLength(3);
  });

  it('counts each account for itself', async () => {
    await givenAccount('bob', 'free');
    await changes.create(newTable([part('a', { sizeBytes: 900_000 })]));
    await changes.create(newTable([part('b', { sizeBytes: 900_000 })], { accountId: BOB }));
    expect((await tables.find({ namespace: 'bob', name: 'sizes' }))?.parts).toHaveLength(1);
  });
});
