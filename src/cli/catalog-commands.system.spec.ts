import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { SetClock } from '../../test/support/set-clock.js';
import { openTemporaryCatalog, type TemporaryCatalog } from '../../test/support/temporary-catalog.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import type { QueryId } from '../catalog/ids.js';
import { defineAccountCommands } from './account.js';
import { type CliContext, createCliContext } from './cli-context.js';
import { defineKeyCommands } from './key.js';
import { defineQueryCommands } from './query.js';

describe('the commands on the catalog', () => {
  let folder: string;
  let clock: SetClock;
  let temporary: TemporaryCatalog;
  let context: CliContext;
  let printed: string[];

  beforeEach(async () => {
    folder = temporaryFolder();
    clock = new SetClock();
    temporary = await openTemporaryCatalog();
    const collect = (text: string) => void printed.push(text);
    const close = async () => {};
    context = { ...createCliContext(temporary.catalog, clock), print: collect, note: () => {}, close };
  });

  afterEach(async () => {
    await temporary.close();
  });

  /** Runs one command line and returns what it printed. */
  async function run(...words: string[]): Promise<string> {
    printed = [];
    const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
    const definitions = { account: defineAccountCommands, key: defineKeyCommands, query: defineQueryCommands };
    for (const [name, define] of Object.entries(definitions)) define(program.command(name), async () => context);
    for (const group of program.commands)
      for (const command of group.commands) command.exitOverride().copyInheritedSettings(program);
    await program.parseAsync(words, { from: 'user' });
    return printed.join('\n');
  }

  function writeSql(name: string, sql: string): string {
    const path = join(folder, name);
    writeFileSync(path, sql);
    return path;
  }

  it('refuse a query whose SQL cannot be parsed', async () => {
    await run('account', 'add', 'ada');
    const file = writeSql('broken.sql', 'SELECT 1 frm a b');
    await expect(run('query', 'add', file)).rejects.toThrow(
      'query_sql: syntax error at or near "a", at line 1, column 14',
    );
    expect(JSON.parse(await run('query', 'list', '--json'))).toEqual([]);
  });

  it('add and list accounts', async () => {
    expect(await run('account', 'add', 'ada')).toBe('Added the account ada (user, plan free)');
    clock.advance({ seconds: 1 });
    await run('account', 'add', 'crew', '--type', 'team', '--plan', 'premium');
    expect(JSON.parse(await run('account', 'list', '--json'))).toEqual([
      { handle: 'ada', type: 'user', plan: 'free', created_at: '2026-03-01T10:20:30.123Z' },
      { handle: 'crew', type: 'team', plan: 'premium', created_at: '2026-03-01T10:20:31.123Z' },
    ]);
    await expect(run('account', 'add', 'ada')).rejects.toThrow('There is an account ada already');
    await expect(run('account', 'add', 'bob', '--plan', 'gold')).rejects.toThrow(
      'Allowed choices are free, plus, premium',
    );
  });

  it('change the plan of an account', async () => {
    await run('account', 'add', 'ada');
    expect(await run('account', 'plan', 'ada', 'plus')).toBe('The account ada has the plan plus');
    expect(await context.accounts.getByHandle('ada')).toMatchObject({ plan: 'plus' });
    expect(JSON.parse(await run('account', 'plan', 'ada', 'premium', '--json'))).toEqual({
      handle: 'ada',
      plan: 'premium',
    });
    await expect(run('account', 'plan', 'bob', 'plus')).rejects.toThrow('There is no account bob');
    await expect(run('account', 'plan', 'ada', 'gold')).rejects.toThrow('Allowed choices are free, plus, premium');
  });

  it('show a new key once, list it without its text, and revoke it', async () => {
    await run('account', 'add', 'ada');
    const text = await run('key', 'create', 'ada', '--name', 'laptop', '--scope', 'read', '--expires-days', '1');
    expect((await context.keys.authenticate(text)).key).toMatchObject({ name: 'laptop', scope: 'read' });
    const listing = await run('key', 'list', 'ada', '--json');
    expect(listing).not.toContain(text);
    const [key] = JSON.parse(listing) as [{ id: string }];
    expect(key).toMatchObject({ account: 'ada', prefix: text.slice(0, 10), expires_at: '2026-03-02T10:20:30.123Z' });
    await run('key', 'revoke', key.id);
    await expect(context.keys.authenticate(text)).rejects.toThrow('invalid API Key');
  });

  it('refuse a key for an account that does not exist, or without time to live', async () => {
    await expect(run('key', 'create', 'nobody')).rejects.toThrow('There is no account nobody');
    await expect(run('key', 'create', 'ada', '--expires-days', '0')).rejects.toThrow('a whole number from 1');
  });

  it('save the text of a file as a query', async () => {
    await run('account', 'add', 'ada');
    const file = writeSql('orders.sql', 'SELECT {{n}}');
    const options = [
      '--param',
      'n:number=5',
      '--param',
      'who',
      '--tag',
      'sales',
      '--private',
      '--description',
      'Them all',
    ];
    expect(await run('query', 'add', file, ...options)).toBe('1');
    const ada = await context.accounts.getByHandle('ada');
    expect(await context.queries.getReadable(1 as QueryId, ada)).toMatchObject({
      name: 'orders',
      sql: 'SELECT {{n}}',
      description: 'Them all',
      tags: ['sales'],
      isPrivate: true,
      parameters: [
        { key: 'n', type: 'number', defaultValue: '5' },
        { key: 'who', type: 'text' },
      ],
    });
  });

  it('require the name of the account if there are several', async () => {
    const file = writeSql('orders.sql', 'SELECT 1');
    await expect(run('query', 'add', file)).rejects.toThrow('There is no account yet');
    await run('account', 'add', 'ada');
    await run('account', 'add', 'bob');
    await expect(run('query', 'add', file)).rejects.toThrow('There are several accounts');
    await run('query', 'add', file, '--account', 'bob', '--name', 'first');
    await run('query', 'add', file, '--account', 'ada', '--name', 'second');
    const names = async (...options: string[]) =>
      (JSON.parse(await run('query', 'list', '--json', ...options)) as { name: string }[]).map(({ name }) => name);
    expect(await names()).toEqual(['second', 'first']);
    expect(await names('--account', 'bob')).toEqual(['first']);
  });
});
