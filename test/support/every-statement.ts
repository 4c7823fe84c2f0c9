import type { Account } from '../../src/auth/account.js';
import { AccountsRepository } from '../../src/auth/accounts.repository.js';
import { ApiKeysRepository } from '../../src/auth/api-keys.repository.js';
import type { Catalog } from '../../src/catalog/catalog.js';
import type { AccountId, ExecutionId, QueryId } from '../../src/catalog/ids.js';
import type { Execution } from '../../src/executions/execution.js';
import { ExecutionListRepository } from '../../src/executions/execution-list.repository.js';
import { ExecutionsRepository } from '../../src/executions/executions.repository.js';
import { StoredBytesRepository } from '../../src/executions/stored-bytes.repository.js';
import { FirstStartRepository } from '../../src/first-start/first-start.repository.js';
import { CatalogProbeRepository } from '../../src/health/catalog-probe.repository.js';
import { StorageTotalsRepository } from '../../src/metrics/storage-totals.repository.js';
import { QueriesRepository } from '../../src/queries/queries.repository.js';
import { ResultFilesRepository } from '../../src/results/result-files.repository.js';
import { OrphansRepository } from '../../src/sweep/orphans.repository.js';
import { RemovedPartsRepository } from '../../src/uploads/removed-parts.repository.js';
import { StoredTablesRepository } from '../../src/uploads/stored-tables.repository.js';
import type { NewTable } from '../../src/uploads/table.js';
import { TableChangesRepository } from '../../src/uploads/table-changes.repository.js';
import { TablesRepository } from '../../src/uploads/tables.repository.js';
import { SetClock } from './set-clock.js';

const NOW = new SetClock().now();
const LATER = new Date(NOW.getTime() + 60_000);
const ONE = '1' as AccountId;
const TWO = '2' as AccountId;
const QUERY = 1 as QueryId;
/** More than the column can hold. */
const UNKNOWN = (2 ** 40) as QueryId;
const [A, B, C, D] = ['A', 'B', 'C', 'D'] as unknown as [ExecutionId, ExecutionId, ExecutionId, ExecutionId];
const ADA: Account = { id: ONE, handle: 'ada', type: 'user', plan: 'free', createdAt: NOW };

/** Every repository of the catalog. */
export function repositoriesOf(catalog: Catalog) {
  return {
    accounts: new AccountsRepository(catalog),
    keys: new ApiKeysRepository(catalog),
    queries: new QueriesRepository(catalog),
    executions: new ExecutionsRepository(catalog),
    executionList: new ExecutionListRepository(catalog),
    tables: new TablesRepository(catalog),
    changes: new TableChangesRepository(catalog, new SetClock()),
    removedParts: new RemovedPartsRepository(catalog),
    firstStart: new FirstStartRepository(catalog),
    orphans: new OrphansRepository(catalog),
    resultFiles: new ResultFilesRepository(catalog),
    storedTables: new StoredTablesRepository(catalog),
    storedBytes: new StoredBytesRepository(catalog),
    catalogProbe: new CatalogProbeRepository(catalog, new SetClock()),
    storageTotals: new StorageTotalsRepository(catalog),
  };
}

type Repositories = ReturnType<typeof repositoriesOf>;

/** Calls every method of every repository on an empty catalog, and gives what they answer. */
export async function runEveryStatement(repositories: Repositories): Promise<Record<string, unknown>> {
  return {
    ...(await useAccounts(repositories)),
    ...(await useQueries(repositories)),
    ...(await useExecutions(repositories)),
    ...(await useTables(repositories)),
    ...(await useFirstStart(repositories)),
    ...(await useOrphans(repositories)),
    ...(await useStoredFiles(repositories)),
    catalogProbe: [await repositories.catalogProbe.read(), await repositories.catalogProbe.write()],
    storageTotals: [await repositories.storageTotals.sumResults(), await repositories.storageTotals.sumTables()],
  };
}

async function useFirstStart({ firstStart }: Repositories) {
  await firstStart.begin('ada', NOW);
  await firstStart.begin('ada', LATER);
  const begun = await firstStart.findUnfinished();
  await firstStart.end('ada', LATER);
  return { firstStarts: [begun, await firstStart.findUnfinished()] };
}

async function useOrphans({ orphans }: Repositories) {
  await orphans.note('results', ['a', 'b'], NOW);
  await orphans.note('results', ['b'], LATER);
  await orphans.note('tables', ['b'], LATER);
  await orphans.forget('results', ['a']);
  return { orphans: [...(await orphans.list('results')), ...(await orphans.list('tables'))] };
}

async function useStoredFiles({ resultFiles, storedTables, storedBytes, changes }: Repositories) {
  const source = { format: 'csv', pattern: '/files/*.csv' } as const;
  const linked = { accountId: ONE, name: 'linked', description: '', isPrivate: false, columns: [], parts: [], source };
  await changes.create(linked);
  const files: unknown[] = [];
  for await (const { file, sizeBytes } of resultFiles.list(1)) files.push([file, sizeBytes]);
  for await (const { blob, sizeBytes } of storedTables.listParts(1)) files.push([blob, sizeBytes]);
  return {
    files,
    isStored: [await resultFiles.isStored(A), await resultFiles.isStored(C)],
    hasPart: [await storedTables.hasPart('d'), await storedTables.hasPart('a')],
    linked: await storedTables.listLinked(),
    contradictions: [...(await resultFiles.listContradictions()), ...(await storedTables.listBothPartAndRemoved())],
    versions: await storedTables.listVersions(),
    recounted: [await storedBytes.recount(ADA.id), ...(await storedBytes.list())],
  };
}

async function useAccounts({ accounts, keys }: Repositories) {
  const isNew = [await accounts.insert(ADA), await accounts.insert({ ...ADA, id: TWO })];
  await keys.insert({ id: 'k', accountId: ONE, name: '', scope: 'read', prefix: 'p', createdAt: NOW }, 'hash');
  await keys.setLastUsed('k', NOW);
  const hasChanged = [await accounts.updatePlan('ada', ADA.plan), await accounts.updatePlan('nobody', 'plus')];
  await keys.insert({ id: 'l', accountId: ONE, name: '', scope: 'admin', prefix: 'p', createdAt: NOW }, 'other');
  const replaced = [await keys.makeBootstrap('k', 'bootstrap', NOW), await keys.makeBootstrap('l', 'bootstrap', NOW)];
  const isRevoked = [await keys.revoke('k', LATER), await keys.revoke('none', LATER)];
  return {
    isNew,
    hasChanged,
    replaced,
    isRevoked,
    account: [await accounts.get(ONE), await accounts.findByHandle('ada'), ...(await accounts.list())],
    key: [await keys.findByHash('hash'), ...(await keys.list()), ...(await keys.list(ONE))],
  };
}

async function useQueries({ queries }: Repositories) {
  const wanted = { name: 'a', sql: 'SELECT 1', description: '', tags: ['t'], parameters: [], isPrivate: true };
  const { id } = await queries.insert(ADA, wanted, NOW);
  await queries.insert(ADA, { ...wanted, name: 'b' }, NOW);
  await queries.alter(id, (query) => ({ ...(query as NonNullable<typeof query>), version: 2, sql: 'SELECT 2' }));
  const unknown: unknown[] = [await queries.find(UNKNOWN)];
  for (const missing of [99 as QueryId, UNKNOWN]) {
    await queries
      .alter(missing, (query) => {
        unknown.push(query);
        throw new Error('There is no such query');
      })
      .catch(() => {});
  }
  const list = await queries.list(ONE, { limit: 1, offset: 1 });
  const found = await queries.list(ONE, { limit: 9, offset: 0 }, { scope: 'all', search: 'B t' });
  return {
    query: await queries.find(id),
    unknown,
    queryNames: [list, found].map((some) => some.map(({ name }) => name)),
    count: await queries.count(ONE),
    counts: [
      await queries.count(ONE, { scope: 'own', search: '%' }),
      await queries.count(TWO, { scope: 'public' }),
      await queries.count(TWO, { scope: 'all' }),
    ],
  };
}

async function useExecutions({ executions, executionList }: Repositories) {
  const result = { file: 'f', columns: [], rowCount: 1, fileBytes: 10, logicalBytes: 1, maxRowBytes: 1 };
  const end = { isTruncated: false, readPrivateTable: true, endedAt: NOW, expiresAt: LATER };
  for (const id of [A, B, C, D]) await executions.insert(execution(id), id === D ? undefined : 1);
  for (const id of [A, B, C]) await executions.begin(id, 1, NOW);
  await executions.complete(A, result, end);
  await executions.complete(B, { ...result, file: 'g', fileBytes: 500 }, { ...end, isTruncated: true });
  const storage = [await executions.getStorage(ONE)];
  await executions.requeue(C);
  await executions.requeueAll();
  await executions.cancel(C, 'PENDING', NOW);
  const isFailed = [await executions.fail(D, 'PENDING', { type: 'FAILED_TYPE_INTERNAL', message: '' }, NOW)];
  isFailed.push(await executions.fail(D, 'PENDING', { type: 'FAILED_TYPE_INTERNAL', message: '' }, NOW));
  const stored: string[] = [];
  for await (const { id } of executions.listStored(QUERY, NOW, 1)) stored.push(id);
  const expired = await executions.listExpired(LATER, 1);
  const isExpired = [await executions.expire(B), await executions.expire(C)];
  storage.push(await executions.getStorage(ONE));
  const filter = { queryId: QUERY, trigger: 'cli', since: NOW } as const;
  const page = { limit: 2, offset: 0 };
  return {
    isFailed,
    stored,
    expired,
    isExpired,
    storage,
    listedExecutions: [
      await executionList.list(ONE, filter, NOW, page),
      await executionList.list(ONE, { queryId: 0 as QueryId, state: 'COMPLETED' }, NOW, page),
      await executionList.list(ONE, { state: 'FAILED' }, NOW, page),
    ].map((list) => list.map(({ id }) => id)),
    listedCounts: [
      await executionList.count(ONE, { queryId: UNKNOWN }, NOW),
      await executionList.count(ONE, { state: 'EXPIRED' }, LATER),
    ],
    isResultFile: [await executions.isResultFile('f'), await executions.isResultFile('g')],
    execution: [await executions.find(A), await executions.find(B), ...(await executions.listIn('CANCELLED'))],
  };
}

function execution(id: ExecutionId): Execution {
  return {
    id,
    queryId: id === D ? undefined : QUERY,
    accountId: ONE,
    sql: 'SELECT 1',
    parameters: { b: '2', a: '1' },
    replacements: [{ key: 'a', offset: 7, length: 1, placeholder: '{{a}}' }],
    performance: 'medium',
    state: 'PENDING',
    attempt: 0,
    readPrivateTable: false,
    submittedAt: NOW,
    expiresAt: LATER,
    origin: { trigger: 'cli', submittedBy: 'ada' },
  };
}

async function useTables({ tables, changes, removedParts }: Repositories) {
  const part = (blob: string, sizeBytes: number) => ({ blob, rowCount: 10, sizeBytes });
  const table = (name: string, ...parts: NewTable['parts']): NewTable => ({
    accountId: ONE,
    name,
    description: '',
    isPrivate: false,
    columns: [],
    parts,
  });
  const idOf = async (name: string) => (await tables.find({ namespace: 'ada', name }))?.id ?? '';
  const codeOf = (change: Promise<unknown>) => change.then(String, (error) => error.code ?? String(error));
  await changes.create(table('sizes', part('a', 900_000)));
  const refused = [
    await codeOf(changes.create(table('sizes', part('b', 1)))),
    await codeOf(changes.create(table('more', part('b', 200_000)))),
    await codeOf(changes.append('gone', [part('b', 1)])),
    await codeOf(changes.delete('gone')),
    await codeOf(changes.merge('gone', ['a'], part('b', 1))),
  ];
  await changes.replace(table('sizes', part('b', 90_000), part('c', 9)));
  await changes.append(await idOf('sizes'), [part('d', 500_000)]);
  const isMerged = await changes.merge(await idOf('sizes'), ['b', 'c'], part('e', 90_000));
  const parts = [
    await tables.listParts(await idOf('sizes')),
    (await tables.find({ namespace: 'ada', name: 'sizes' }))?.parts,
  ];
  const fragmented = await tables.listFragmented(2, 1_000_000);
  const { tables: listed, nextOffset } = await tables.list(ONE, { limit: 1, offset: 0 });
  await changes.create(table('cleared', part('f', 1)));
  await changes.clear(await idOf('cleared'), { ...part('g', 1), rowCount: 0 });
  const isDeleted = await changes.delete(await idOf('cleared'));
  await removedParts.forget('a');
  return {
    refused,
    isMerged,
    isDeleted,
    fragmented,
    parts,
    visible: await tables.listVisibleNames(TWO, 10),
    listed: listed.map(({ name, rowCount, sizeBytes, ownerType }) => ({ name, rowCount, sizeBytes, ownerType })),
    nextOffset,
    removed: (await removedParts.list(LATER)).sort(),
    isKnown: [await removedParts.isKnown('a'), await removedParts.isKnown('b'), await removedParts.isKnown('e')],
  };
}
