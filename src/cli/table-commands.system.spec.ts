import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { SetClock } from '../../test/support/set-clock.js';
import { openTemporaryCatalog, type TemporaryCatalog } from '../../test/support/temporary-catalog.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { Config } from '../config/config.js';
import { toTableColumn } from '../types/column-types.js';
import { TableChangesRepository } from '../uploads/table-changes.repository.js';
import { type CliContext, createCliContext } from './cli-context.js';
import { defineTableCommands } from './table.js';
import { defineTableLinkCommands } from './table-link.js';
import { toTableName } from './table-upload.js';

describe('the commands on tables', () => {
  let folder: string;
  let temporary: TemporaryCatalog;
  let context: CliContext;
  let printed: string[];

  beforeEach(async () => {
    folder = temporaryFolder();
    temporary = await openTemporaryCatalog();
    const collect = (text: string) => void printed.push(text);
    const clock = new SetClock();
    const config = Object.assign(new Config(), { DATA_DIR: join(folder, 'data'), LINK_ROOTS: [folder] });
    context = {
      ...createCliContext(temporary.catalog, clock, config),
      print: collect,
      note: () => {},
      close: async () => {},
    };
    const ada = await context.accounts.create({ handle: 'ada', type: 'user', plan: 'free' });
    await new TableChangesRepository(temporary.catalog, clock).create({
      accountId: ada.id,
      name: 'prices',
      description: 'Of things',
      isPrivate: false,
      columns: [toTableColumn('price', 'double', false)],
      parts: [{ blob: 'a', rowCount: 7, sizeBytes: 100 }],
    });
  });

  afterEach(async () => {
    await temporary.close();
  });

  /** Runs one command line and returns what it printed. */
  async function run(...words: string[]): Promise<string> {
    printed = [];
    const table = new Command().exitOverride();
    for (const define of [defineTableCommands, defineTableLinkCommands]) define(table, async () => context);
    await table.parseAsync(words, { from: 'user' });
    return printed.join('\n');
  }

  const PRICES = { name: 'ada.prices', rows: 7, bytes: 100, is_private: false, updated_at: '2026-03-01T10:20:30.123Z' };

  it('list tables of one account or of all', async () => {
    await context.accounts.create({ handle: 'bob', type: 'user', plan: 'free' });
    expect(JSON.parse(await run('list', '--json'))).toEqual([PRICES]);
    expect(JSON.parse(await run('list', '--account', 'bob', '--json'))).toEqual([]);
    expect(await run('list')).toMatch(/^NAME +ROWS .*\nada\.prices +7 +100 /);
  });

  it('describe a table', async () => {
    expect(JSON.parse(await run('describe', 'prices', '--json'))).toEqual({
      ...PRICES,
      description: 'Of things',
      columns: [{ column: 'price', type: 'double', nullable: false }],
    });
    expect(await run('describe', 'prices')).toMatch(/price +double +false$/);
    await expect(run('describe', 'none')).rejects.toThrow('Table not found');
  });

  it('drop a table', async () => {
    expect(await run('drop', 'prices')).toBe('Dropped ada.prices');
    await expect(run('drop', 'prices')).rejects.toThrow('Table not found');
  });

  it('link files, and unlink them without touching them', async () => {
    for (const n of [1, 2]) writeFileSync(join(folder, `${n}.csv`), `n,text\n${n},x\n`);
    expect(await run('link', 'linked', join(folder, '*.csv'))).toBe('Linked 2 files (csv) as ada.linked');
    expect(JSON.parse(await run('describe', 'linked', '--json'))).toMatchObject({
      linked_to: join(folder, '*.csv'),
      columns: [
        { column: 'n', type: 'bigint' },
        { column: 'text', type: 'varchar' },
      ],
    });
    await expect(run('drop', 'linked')).rejects.toThrow('can only be read');
    expect(JSON.parse(await run('unlink', 'linked', '--json'))).toEqual({ unlinked: 'ada.linked' });
    expect(await run('link', 'linked', join(folder, '1.csv'))).toBe('Linked 1 file (csv) as ada.linked');
  });

  it('link files with the dialect and the types that the operator gives', async () => {
    const columnsOf = async (...words: string[]) => {
      await run('link', 'linked', ...words);
      const { columns } = JSON.parse(await run('describe', 'linked', '--json'));
      await run('unlink', 'linked');
      return columns.map(({ column, type }: { column: string; type: string }) => `${column} ${type}`);
    };
    const path = join(folder, 'a.csv');
    writeFileSync(path, 'a:b;2022\n1;2024-01-01\n');
    const header = ['--header', 'yes'];
    expect(await columnsOf(path, ...header)).toEqual(['a:b bigint', '2022 date']);
    expect(await columnsOf(path, ...header, '--all-text')).toEqual(['a:b varchar', '2022 varchar']);
    expect(await columnsOf(path, ...header, '--column', 'a:b:integer', '--column', '2022:timestamp')).toEqual([
      'a:b integer',
      '2022 timestamp',
    ]);
    expect(await columnsOf(path, '--header', 'no')).toEqual(['column0 varchar', 'column1 varchar']);
    expect(await columnsOf(path, '--delimiter', 'tab')).toEqual(['a:b;2022 varchar']);
  });

  it.each([
    [['--delimiter', 'x'], 'It must be one ASCII character'],
    [['--header', 'maybe'], 'Allowed choices are yes, no'],
    [['--column', 'n'], 'It must be a name and one of varchar, varbinary'],
    [['--column', 'n:float'], 'It must be a name and one of varchar, varbinary'],
    [['--column', 'n:bigint', '--column', 'N:double'], 'The column N is given twice'],
  ])('refuse to link files with %j', async (words, problem) => {
    writeFileSync(join(folder, 'a.csv'), 'n\n1\n');
    await expect(run('link', 'linked', join(folder, 'a.csv'), ...words)).rejects.toThrow(problem);
  });

  it('refuse options that say nothing about files of the format', async () => {
    writeFileSync(join(folder, 'a.ndjson'), '{"n":1}\n');
    writeFileSync(join(folder, 'a.parquet'), '');
    const link = (file: string, ...words: string[]) => run('link', 'linked', join(folder, file), ...words);
    await expect(link('a.ndjson', '--header', 'yes')).rejects.toThrow('--delimiter and --header are for CSV files');
    await expect(link('a.parquet', '--all-text')).rejects.toThrow('--all-text and --column are for CSV and NDJSON');
  });

  it('refuse to link what is not allowed', async () => {
    writeFileSync(join(folder, 'a.csv'), 'n\n1\n');
    const path = join(folder, 'a.csv');
    await expect(run('link', 'Linked', path)).rejects.toThrow('table_name: a table name is a lower-case letter');
    await expect(run('link', 'prices', path)).rejects.toThrow('There is a table prices already');
    await expect(run('link', 'linked', path, '--private')).rejects.toThrow('The plan free has no private tables');
    await expect(run('link', 'linked', '/etc/hosts.csv')).rejects.toThrow('The files cannot be linked');
    writeFileSync(join(folder, 'b.parquet'), 'no Parquet');
    await expect(run('link', 'linked', join(folder, 'b.parquet'))).rejects.toThrow(
      /^The file b.parquet cannot be read: it is no Parquet file, or its end is missing$/,
    );
    await expect(run('unlink', 'prices')).rejects.toThrow('The table prices is not linked to files');
    await expect(run('unlink', 'none')).rejects.toThrow('Table not found');
  });
});

describe('toTableName', () => {
  it.each([
    ['/a/prices.csv', 'prices'],
    ['Prices.CSV', 'prices'],
    ['prices.csv.gz', 'prices'],
    ['prices.tsv', 'prices'],
    ['prices.txt.gz', 'prices'],
    ['prices', 'prices'],
  ])('calls the table of %s %s', (file, name) => {
    expect(toTableName(file)).toBe(name);
  });
});
