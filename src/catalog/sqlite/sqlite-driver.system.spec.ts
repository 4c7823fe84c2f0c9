import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { Catalog, type CatalogConnection } from '../catalog.js';
import type { NewRow } from '../database.js';
import type { AccountId } from '../ids.js';

/** Another process that writes to the catalog, until it is asked to commit. */
const WRITER = `
const { DatabaseSync } = await import('node:sqlite');
const file = new DatabaseSync(process.argv[1]);
file.exec("BEGIN IMMEDIATE; UPDATE accounts SET handle = 'by another process'");
process.stdout.write('writing');
process.stdin.once('data', () => { file.exec('COMMIT'); process.exit(); });
`;

describe('SqliteDriver', () => {
  let dataDir: string;
  let catalog: Catalog;

  beforeEach(async () => {
    dataDir = temporaryFolder();
    catalog = await Catalog.open(dataDir);
    await catalog.insertInto('accounts').values(accountNamed('0')).execute();
  });

  afterEach(async () => {
    await catalog.destroy();
  });

  const accountNamed = (handle: string, id = '1'): NewRow<'accounts'> => ({
    id: id as AccountId,
    handle,
    type: 'user',
    plan: 'free',
    created_at: '2026-03-01T10:20:30.123Z',
  });
  const handleIn = async (connection: CatalogConnection) =>
    (await connection.selectFrom('accounts').select('handle').executeTakeFirstOrThrow()).handle;
  const setHandle = async (connection: CatalogConnection, handle: string) => {
    await connection.updateTable('accounts').set({ handle }).execute();
  };
  const countUp = (by: Catalog) =>
    by.inTransaction(async (transaction) => setHandle(transaction, String(Number(await handleIn(transaction)) + 1)));

  it('reads, and leaves the event loop free, while a write waits for another process', async () => {
    const other = spawn(process.execPath, ['--input-type=module', '-e', WRITER, join(dataDir, 'catalog.db')]);
    const exited = once(other, 'exit');
    await once(other.stdout, 'data');
    const written = catalog.insertInto('accounts').values(accountNamed('ada', '2')).execute();
    await new Promise(setImmediate);
    expect(await handleIn(catalog)).toBe('0');
    other.stdin.write('commit');
    await written;
    expect(await catalog.selectFrom('accounts').select('handle').orderBy('id').execute()).toEqual([
      { handle: 'by another process' },
      { handle: 'ada' },
    ]);
    await exited;
  });

  it('reads what was written before', async () => {
    for (let i = 1; i <= 20; i++) {
      await setHandle(catalog, String(i));
      expect(await handleIn(catalog)).toBe(String(i));
    }
  });

  it('shows what a transaction has written to itself, and to others once it is committed', async () => {
    await catalog.inTransaction(async (transaction) => {
      await setHandle(transaction, 'changed');
      expect([await handleIn(transaction), await handleIn(catalog)]).toEqual(['changed', '0']);
    });
    expect(await handleIn(catalog)).toBe('changed');
  });

  it('lets transactions and single writes take turns', async () => {
    const first = catalog.inTransaction(async (transaction) => {
      const before = await handleIn(transaction);
      await new Promise(setImmediate);
      await setHandle(transaction, `${before}1`);
    });
    await Promise.all([first, setHandle(catalog, '2'), countUp(catalog), countUp(catalog)]);
    expect(await handleIn(catalog)).toBe('4');
  });

  it('tells failures with the code of SQLite', async () => {
    const failing = catalog.insertInto('accounts').values(accountNamed('0', '2')).execute();
    await expect(failing).rejects.toMatchObject({
      message: 'UNIQUE constraint failed: accounts.handle',
      errcode: 2067,
    });
  });

  it('undoes a transaction of which a statement failed, and goes on', async () => {
    const failing = catalog.inTransaction(async (transaction) => {
      await setHandle(transaction, 'changed');
      await sql`nonsense`.execute(transaction);
    });
    await expect(failing).rejects.toThrow('near "nonsense": syntax error');
    await countUp(catalog);
    expect(await handleIn(catalog)).toBe('1');
  });

  it('tells why a statement undid its whole transaction', async () => {
    const failing = catalog.inTransaction(async (transaction) => {
      await setHandle(transaction, 'changed');
      await sql`INSERT OR ROLLBACK INTO accounts SELECT * FROM accounts`.execute(transaction);
    });
    await expect(failing).rejects.toThrow('UNIQUE constraint failed: accounts.handle');
    await countUp(catalog);
    expect(await handleIn(catalog)).toBe('1');
  });

  it('undoes a transaction that is open when the catalog is closed', async () => {
    const open = catalog.inTransaction(async (transaction) => {
      await setHandle(transaction, 'changed');
      await catalog.destroy();
      await setHandle(transaction, 'changed again');
    });
    await expect(open).rejects.toThrow('The catalog is closed');
    catalog = await Catalog.open(dataDir);
    expect(await handleIn(catalog)).toBe('0');
  });

  it('says why a file cannot be opened', async () => {
    const folder = mkdtempSync(join(dataDir, 'broken-'));
    writeFileSync(
      join(folder, 'catalog.db'),
      'no database, but a text of some length, to be taken for a header'.repeat(50),
    );
    await expect(Catalog.open(folder)).rejects.toMatchObject({ cause: { message: 'file is not a database' } });
  });
});
