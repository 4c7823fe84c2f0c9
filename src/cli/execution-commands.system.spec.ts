import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { SetClock } from '../../test/support/set-clock.js';
import { openTemporaryCatalog, type TemporaryCatalog } from '../../test/support/temporary-catalog.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import type { Account } from '../auth/account.js';
import type { ExecutionId } from '../catalog/ids.js';
import { Config } from '../config/config.js';
import { ExecutionsRepository } from '../executions/executions.repository.js';
import { openResultStore, type ResultStore } from '../storage/storage.module.js';
import { type CliContext, createCliContext } from './cli-context.js';
import { defineExecutionCommands } from './execution.js';

const [OLD, NEW, FOREIGN] = ['01K9Z3V7Q4M2W8R6T5Y1X0C9B1', '01K9Z3V7Q4M2W8R6T5Y1X0C9B2', '01K9Z3V7Q4M2W8R6T5Y1X0C9B3'];

describe('the commands on executions', () => {
  const clock = new SetClock();
  let folder: string;
  let temporary: TemporaryCatalog;
  let context: CliContext;
  let store: ResultStore;
  let executions: ExecutionsRepository;
  let printed: string[];

  beforeEach(async () => {
    folder = temporaryFolder();
    temporary = await openTemporaryCatalog();
    const config = Object.assign(new Config(), { DATA_DIR: folder });
    store = openResultStore(config);
    executions = new ExecutionsRepository(temporary.catalog);
    const collect = (text: string) => void printed.push(text);
    const close = async () => {};
    context = { ...createCliContext(temporary.catalog, clock, config), print: collect, note: () => {}, close };
    const ada = await context.accounts.create({ handle: 'ada', type: 'user', plan: 'free' });
    const bob = await context.accounts.create({ handle: 'bob', type: 'user', plan: 'free' });
    await givenExecution(OLD, ada, 1_500);
    await givenExecution(NEW, ada);
    await givenExecution(FOREIGN, bob, 700);
  });
  afterEach(async () => {
    await temporary.close();
  });

  /** An execution that waits or, with a size, has a stored result. */
  async function givenExecution(given: string | undefined, account: Account, fileBytes = 0): Promise<void> {
    if (given === undefined) throw new Error('There is no id');
    const id = given as ExecutionId;
    const at = clock.now();
    const expiresAt = new Date(at.getTime() + 1_000);
    const fixed = {
      sql: '',
      replacements: [],
      parameters: {},
      performance: 'medium',
      state: 'PENDING',
      attempt: 0,
    } as const;
    const origin = { trigger: 'api', submittedBy: 'laptop' } as const;
    const execution = {
      ...fixed,
      id,
      accountId: account.id,
      readPrivateTable: false,
      submittedAt: at,
      expiresAt,
      origin,
    };
    await executions.insert(execution, undefined);
    if (fileBytes === 0) return;
    const file = `${id}-1.parquet`;
    const staged = join(folder, 'staged');
    writeFileSync(staged, 'x'.repeat(fileBytes));
    await store.adopt(staged, file);
    await executions.begin(id, 1, at);
    const result = { file, columns: [], rowCount: 7, fileBytes, logicalBytes: 7, maxRowBytes: 1 };
    await executions.complete(id, result, { isTruncated: false, readPrivateTable: false, endedAt: at, expiresAt });
  }

  /** Runs one command line and returns what it printed. */
  async function run(...words: string[]): Promise<string> {
    printed = [];
    const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
    defineExecutionCommands(program.command('execution'), async () => context);
    for (const group of program.commands)
      for (const command of group.commands) command.exitOverride().copyInheritedSettings(program);
    await program.parseAsync(['execution', ...words], { from: 'user' });
    return printed.join('\n');
  }

  const ofAda = (...words: string[]) => run(...words, '--account', 'ada');
  const bytesOf = async (handle: string) =>
    (await executions.getStorage((await context.accounts.getByHandle(handle)).id)).bytes;

  it('list those of an account, newest first, with what their results take', async () => {
    const submitted = { trigger: 'api', submitted_by: 'laptop', submitted_at: clock.now().toISOString() };
    const completed = { id: OLD, state: 'COMPLETED', ...submitted, rows: 7, bytes: 1_500 };
    expect(JSON.parse(await ofAda('list', '--json'))).toEqual([{ id: NEW, state: 'PENDING', ...submitted }, completed]);
    expect(JSON.parse(await ofAda('list', '--json', '--state', 'completed'))).toEqual([completed]);
    expect(JSON.parse(await ofAda('list', '--json', '--limit', '1'))).toHaveLength(1);
    expect(await ofAda('list')).toMatch(/^ID +STATE +QUERY +TRIGGER .*\n01K9Z3V7Q4M2W8R6T5Y1X0C9B2 +PENDING/);
    await expect(run('list')).rejects.toThrow('There are several accounts');
    await expect(ofAda('list', '--limit', '0')).rejects.toThrow('a whole number from 1');
  });

  it('delete results and their files, once', async () => {
    const path = store.pathOf(`${OLD}-1.parquet`);
    expect([existsSync(path), await bytesOf('ada')]).toEqual([true, 1_500]);
    expect(await ofAda('delete', `${OLD}`)).toBe(`Deleted the result of ${OLD} (1.5 kB)`);
    expect([existsSync(path), await bytesOf('ada'), await bytesOf('bob')]).toEqual([false, 0, 700]);
    expect(await ofAda('delete', `${OLD}`)).toBe(`${OLD} has no stored result (EXPIRED)`);
    expect(JSON.parse(await run('delete', `${FOREIGN}`, '--account', 'bob', '--json'))).toEqual([
      { id: FOREIGN, state: 'EXPIRED', freed_bytes: 700 },
    ]);
  });

  it('delete nothing of another account, and nothing that has not ended', async () => {
    await expect(ofAda('delete', `${FOREIGN}`)).rejects.toThrow(`(ID: ${FOREIGN}) was not found`);
    await expect(ofAda('delete', `${NEW}`)).rejects.toThrow('cancel it first');
    expect(await bytesOf('bob')).toBe(700);
  });
});
