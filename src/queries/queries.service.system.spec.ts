import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SetClock } from '../../test/support/set-clock.js';
import { openTemporaryCatalog, type TemporaryCatalog } from '../../test/support/temporary-catalog.js';
import type { Account } from '../auth/account.js';
import { AccountsRepository } from '../auth/accounts.repository.js';
import { AccountsService } from '../auth/accounts.service.js';
import type { QueryId } from '../catalog/ids.js';
import { QueriesRepository } from './queries.repository.js';
import { QueriesService } from './queries.service.js';
import type { NewQuery } from './query.js';

const ORDERS: NewQuery = {
  name: 'orders',
  sql: 'SELECT {{n}}',
  description: 'All of them',
  tags: ['sales'],
  parameters: [{ key: 'n', type: 'number', enumOptions: [], defaultValue: '1' }],
  isPrivate: false,
};
/** Of the first query. */
const ID = 1 as QueryId;
const NOT_FOUND = { kind: 'not_found', message: 'Query not found' };

describe('QueriesService', () => {
  let clock: SetClock;
  let temporary: TemporaryCatalog;
  let queries: QueriesService;
  let ada: Account;
  let bob: Account;

  beforeEach(async () => {
    clock = new SetClock();
    temporary = await openTemporaryCatalog();
    const accounts = new AccountsService(new AccountsRepository(temporary.catalog), clock);
    queries = new QueriesService(new QueriesRepository(temporary.catalog), clock);
    ada = await accounts.create({ handle: 'ada', type: 'user', plan: 'free' });
    bob = await accounts.create({ handle: 'bob', type: 'user', plan: 'free' });
  });

  afterEach(() => temporary.close());

  const page = { limit: 20, offset: 0 };
  const versions = () =>
    temporary.catalog.selectFrom('query_versions').select(['version', 'sql']).orderBy('version').execute();

  it('keeps all of a query', async () => {
    const created = await queries.create(ada, ORDERS);
    expect(created).toMatchObject({
      ...ORDERS,
      id: 1,
      owner: 'ada',
      version: 1,
      isArchived: false,
      createdAt: clock.now(),
    });
    expect(await queries.getReadable(ID, ada)).toEqual(created);
  });

  it('refuses a text that is too large to run', async () => {
    await expect(queries.create(ada, { ...ORDERS, sql: 'ü'.repeat(50_001) })).rejects.toThrow(
      'The SQL may have at most 100000 bytes',
    );
    expect(await versions()).toEqual([]);
  });

  it('never gives an id twice', async () => {
    const ids = [(await queries.create(ada, ORDERS)).id, (await queries.create(bob, ORDERS)).id];
    expect(ids).toEqual([1, 2]);
  });

  it('refuses parameters that are declared wrongly, and keeps nothing of the query', async () => {
    const twice = { ...ORDERS, parameters: [...ORDERS.parameters, ...ORDERS.parameters] };
    await expect(queries.create(ada, twice)).rejects.toThrow('parameter n: is declared twice');
    await queries.create(ada, ORDERS);
    await expect(queries.alter(ID, ada, { parameters: twice.parameters })).rejects.toThrow('is declared twice');
    expect((await queries.list(ada, page)).total).toBe(1);
  });

  it('keeps each version when text or parameters change, and none otherwise', async () => {
    await queries.create(ada, ORDERS);
    clock.advance({ seconds: 60 });
    await queries.alter(ID, ada, { name: 'renamed' });
    await queries.alter(ID, ada, { sql: 'SELECT 2', parameters: [] });
    expect(await queries.getReadable(ID, ada)).toMatchObject({
      name: 'renamed',
      sql: 'SELECT 2',
      version: 2,
      description: 'All of them',
      updatedAt: clock.now(),
    });
    expect(await versions()).toEqual([
      { version: 1, sql: 'SELECT {{n}}' },
      { version: 2, sql: 'SELECT 2' },
    ]);
  });

  it('lets everyone read and execute a public query, and its owner alone alter it', async () => {
    await queries.create(ada, ORDERS);
    expect(await queries.getReadable(ID, bob)).toMatchObject({ name: 'orders' });
    expect(await queries.getExecutable(ID, bob)).toMatchObject({ name: 'orders' });
    await expect(queries.alter(ID, bob, { name: 'mine' })).rejects.toMatchObject({
      kind: 'forbidden',
      message: 'Not allowed to alter this query',
    });
    expect(await queries.getReadable(ID, ada)).toMatchObject({ name: 'orders' });
  });

  it('hides a private query from others', async () => {
    await queries.create(ada, { ...ORDERS, isPrivate: true });
    expect(await queries.getExecutable(ID, ada)).toMatchObject({ isPrivate: true });
    await expect(queries.getReadable(ID, bob)).rejects.toMatchObject(NOT_FOUND);
    await expect(queries.getExecutable(ID, bob)).rejects.toMatchObject(NOT_FOUND);
  });

  it('does not find what does not exist', async () => {
    await expect(queries.getReadable(ID, ada)).rejects.toMatchObject(NOT_FOUND);
    await expect(queries.alter(ID, ada, {})).rejects.toMatchObject(NOT_FOUND);
  });

  it('executes no archived query, but shows it, and takes it back', async () => {
    await queries.create(ada, ORDERS);
    await queries.alter(ID, ada, { isArchived: true });
    const error = { kind: 'forbidden', message: 'Not allowed to execute this query' };
    await expect(queries.getExecutable(ID, ada)).rejects.toMatchObject(error);
    expect(await queries.getReadable(ID, bob)).toMatchObject({ isArchived: true });
    await queries.alter(ID, ada, { isArchived: false });
    expect(await queries.getExecutable(ID, ada)).toMatchObject({ isArchived: false });
  });

  it('tells whether a query is public', async () => {
    await queries.create(ada, ORDERS);
    await queries.create(ada, { ...ORDERS, isPrivate: true });
    expect(await Promise.all([1, 2, 3].map((id) => queries.isPublic(id as QueryId)))).toEqual([true, false, false]);
  });

  it("lists the account's own queries page by page, newest first", async () => {
    for (const name of ['first', 'second', 'third']) await queries.create(ada, { ...ORDERS, name });
    await queries.create(bob, ORDERS);
    const { queries: listed, total } = await queries.list(ada, { limit: 2, offset: 1 });
    expect([listed.map((query) => query.name), total]).toEqual([['second', 'first'], 3]);
    expect(await queries.list(ada, { limit: 2, offset: 9 })).toEqual({ queries: [], total: 3 });
  });

  it('renders a saved query with its own parameters, and other SQL with those that stand in it', async () => {
    const query = await queries.create(ada, ORDERS);
    expect(queries.render(query, {})).toMatchObject({ sql: 'SELECT 1', parameters: { n: '1' } });
    expect(queries.renderSql("SELECT '{{who}}'", { who: "O'Hara" }).sql).toBe("SELECT 'O''Hara'");
  });
});
