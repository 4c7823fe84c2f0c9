import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bind, raw, sql } from '../sql.js';
import { type Connection, Database } from './connection.js';

let database: Database;
let connection: Connection;

beforeAll(async () => {
  database = await Database.open({ threads: '2' });
  connection = await database.connect();
});

afterAll(() => {
  connection.close();
  database.close();
});

describe('Connection', () => {
  it('binds values as text, whatever they hold', async () => {
    const value = `'; SELECT 1 -- \0 "😀"`;
    expect(await connection.rows(sql`SELECT ${bind(value)}, ${bind('7')}::INTEGER + 1`)).toEqual([[value, 8]]);
  });

  it('gives integers of 64 bits as text', async () => {
    expect(await connection.rows(raw('SELECT 9223372036854775807'))).toEqual([['9223372036854775807']]);
  });

  it.each(['SELECT 1; SELECT 2', '', '-- nothing'])('refuses what is not one statement: %j', async (text) => {
    await expect(connection.run(raw(text))).rejects.toMatchObject({ name: 'EngineError', type: 'Invalid Input' });
  });

  it('runs statements one after the other, up to the first that fails', async () => {
    const settingsOf = () => connection.rows(sql`SELECT current_setting('pivot_limit'), current_setting('TimeZone')`);
    await connection.runAll([sql`SET pivot_limit = 11`, sql`SET TimeZone = 'Europe/Rome'`]);
    expect(await settingsOf()).toEqual([['11', 'Europe/Rome']]);
    const failing = [sql`SET pivot_limit = 12`, sql`SET no_such_setting = 1`, sql`SET TimeZone = 'UTC'`];
    await expect(connection.runAll(failing)).rejects.toMatchObject({ name: 'EngineError', type: 'Catalog' });
    expect(await settingsOf()).toEqual([['12', 'Europe/Rome']]);
    await expect(connection.runAll([sql`SELECT ${bind('1')}`])).rejects.toThrow('to a single statement only');
  });

  it('tells the kind of an error apart from its text', async () => {
    await expect(connection.rows(raw(`SELECT error('no')`))).rejects.toMatchObject({
      type: 'Invalid Input',
      message: 'no',
    });
    await expect(connection.run(raw('SELECT a'))).rejects.toMatchObject({ type: 'Binder' });
  });

  it('stays usable after an error', async () => {
    await expect(connection.run(raw(`SELECT 'x'::INTEGER`))).rejects.toMatchObject({ type: 'Conversion' });
    expect(await connection.rows(raw('SELECT 1'))).toEqual([[1]]);
  });

  it('describes columns, repeated names too', async () => {
    expect(await connection.describe(raw('SELECT 1 AS a, [1.5] AS a LIMIT 0'))).toEqual([
      { name: 'a', type: { kind: 'scalar', name: 'INTEGER' } },
      { name: 'a', type: { kind: 'list', element: { kind: 'decimal', precision: 2, scale: 1 } } },
    ]);
  });

  it('streams rows in batches, in order', async () => {
    const rows: unknown[] = [];
    for await (const batch of connection.stream(raw('SELECT range::INTEGER FROM range(5000)')))
      rows.push(...batch.flat());
    expect(rows).toEqual(Array.from({ length: 5000 }, (_, index) => index));
  });

  it('can be used again after a stream was left', async () => {
    for await (const batch of connection.stream(raw('SELECT 1 FROM range(1000000)'))) {
      expect(batch.length).toBeGreaterThan(0);
      break;
    }
    expect(await connection.rows(raw('SELECT 2'))).toEqual([[2]]);
  });

  it('stops a statement that is interrupted', async () => {
    const other = await database.connect();
    const running = other.rows(raw('SELECT count(*) FROM range(1000000000) a, range(1000000000) b'));
    const interrupting = setInterval(() => other.interrupt(), 5);
    await expect(running).rejects.toMatchObject({ type: 'INTERRUPT' });
    clearInterval(interrupting);
    other.close();
  });

  it('tells no progress where the engine tells none', () => {
    expect(connection.progressPercentage()).toBeUndefined();
  });

  it('says that a statement is accepted before it runs', async () => {
    const accepted: string[] = [];
    await expect(
      connection.run(raw(`SELECT error('late') FROM range(2)`), () => accepted.push('yes')),
    ).rejects.toMatchObject({ message: 'late' });
    await expect(connection.run(raw('SELEC'), () => accepted.push('no'))).rejects.toMatchObject({ type: 'Parser' });
    expect(accepted).toEqual(['yes']);
  });
});

describe('Database', () => {
  it('refuses options that do not exist', async () => {
    await expect(Database.open({ no_such_option: '1' })).rejects.toMatchObject({ name: 'EngineError' });
  });
});
