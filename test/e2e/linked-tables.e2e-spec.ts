import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/auth/accounts.service.js';
import { Catalog } from '../../src/catalog/catalog.js';
import { type CliContext, createCliContext } from '../../src/cli/cli-context.js';
import { Clock } from '../../src/config/clock.js';
import { Config } from '../../src/config/config.js';
import type { NewLink } from '../../src/uploads/linked-tables.service.js';
import type { Table } from '../../src/uploads/table.js';
import { TableChangesRepository } from '../../src/uploads/table-changes.repository.js';
import { TablesRepository } from '../../src/uploads/tables.repository.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { failureOf, rowsOf } from '../support/rows-of.js';
import { TestServer } from '../support/server.js';

let files: string;
let server: TestServer;
let commands: CliContext;

beforeAll(async () => {
  files = await realpath(await mkdtemp(join(tmpdir(), 'linked-files-')));
  server = await TestServer.start({ LINK_ROOTS: files });
  commands = createCliContext(server.app.get(Catalog), new Clock(), server.app.get(Config));
});

afterAll(async () => {
  await stopWithoutLeaks(server);
  await rm(files, { recursive: true });
});

async function givenFile(place: string, text: string): Promise<void> {
  const path = join(files, place);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function link(name: string, pattern: string, wish: Partial<NewLink> = {}): Promise<void> {
  const account = await server.app.get(AccountsService).getByHandle('demo');
  await commands.links.link(account, { isPrivate: false, ...wish, name, pattern: join(files, pattern) });
}

describe('a table that is linked to files', () => {
  it('reads them where they lie, and those that come later', async () => {
    await givenFile('events/year=2025/a.csv', 'code,n\n1,1\n');
    await link('events', 'events');
    expect(await rowsOf(server, 'SELECT * FROM demo.events')).toEqual([{ code: 1, n: 1, year: 2025 }]);
    await givenFile('events/year=2026/b.csv', 'code,n\n2,2\n');
    expect(await rowsOf(server, 'SELECT n FROM events WHERE year = 2026')).toEqual([{ n: 2 }]);
  });

  it('reads CSV as it was described, however late quotes show in it', async () => {
    const rows = Array.from({ length: 25_000 }, (_, index) => `${index},x`);
    await givenFile(
      'late.csv',
      ['n,text', ...rows, '25000,"x,y"', '25001,"two\nlines"', '25002,"quoted"', ''].join('\n'),
    );
    await link('late', 'late.csv');
    const expected = [
      { n: 25_000, text: 'x,y' },
      { n: 25_001, text: 'two\nlines' },
      { n: 25_002, text: 'quoted' },
    ];
    expect(await rowsOf(server, 'SELECT * FROM late WHERE n >= 25000 ORDER BY n')).toEqual(expected);
    const tables = server.app.get(TablesRepository);
    const linked = await tables.find({ namespace: 'demo', name: 'late' });
    const { text: _text, ...source } = linked?.source ?? { format: 'csv', pattern: '' };
    // As links were kept before.
    await server.app.get(TableChangesRepository).create({ ...(linked as Table), name: 'older', source });
    expect(await failureOf(server, 'SELECT * FROM older')).toBe(
      'The table demo.older was linked by an earlier version of the service, and the operator must link it again',
    );
  });

  it('reads those of a folder whose name looks like a glob, and no others', async () => {
    await givenFile('a[1]/kind=b[2]/a.csv', 'n\n1\n');
    await givenFile('a1/kind=b2/a.csv', 'n\n2\n');
    await link('brackets', 'a[1]');
    expect(await rowsOf(server, 'SELECT * FROM brackets')).toEqual([{ n: 1, kind: 'b[2]' }]);
    await givenFile('br{a,b}/what?.ndjson', '{"n": 3}\n');
    await link('braces', 'br{a,b}');
    expect(await rowsOf(server, 'SELECT * FROM braces')).toEqual([{ n: 3 }]);
  });

  it('has the values and the types that an upload of the same CSV has', async () => {
    const text = [
      'id,n,m,empty,long,day,word',
      '765629939811020802,0.1,1e400,"",12345678901234567890123,01/02/2024,Yes',
      '765629939811020803,2.5,1,,1,02/01/2024,No',
      '',
    ].join('\n');
    await server.post('/table/upload/csv', { table_name: 'same_uploaded', data: text });
    await givenFile('same.csv', text);
    await link('same_linked', 'same.csv');
    const read = async (table: string) => {
      const execution = await server.givenResult(`SELECT *, m IS NULL, empty IS NULL FROM ${table}`);
      const { body } = await server.get(`/execution/${execution}/results`);
      return { rows: body.result.rows, types: body.result.metadata.column_types };
    };
    const linked = await read('same_linked');
    expect(linked.rows[0]).toMatchObject({
      id: '765629939811020802',
      m: '1e400',
      empty: '',
      long: '12345678901234567890123',
      day: '01/02/2024',
      word: 'Yes',
    });
    expect(linked).toEqual(await read('same_uploaded'));
  });

  it('reads NDJSON', async () => {
    await givenFile('lines.ndjson', '{"n": 1, "tags": ["a"]}\n{"n": 2}\n');
    await link('lines', 'lines.ndjson');
    expect(await rowsOf(server, 'SELECT n, tags FROM lines ORDER BY n')).toEqual([
      { n: 1, tags: '["a"]' },
      { n: 2, tags: null },
    ]);
  });

  it('stands in the list and takes none of the storage', async () => {
    await givenFile('listed.csv', 'n\n1\n');
    await link('listed', 'listed.csv');
    const { body } = await server.get('/tables');
    expect(body.tables).toContainEqual(expect.objectContaining({ full_name: 'demo.listed', table_size_bytes: '0' }));
  });

  it.each([
    ['an upload', () => server.post('/table/upload/csv', { table_name: 'fixed', data: 'n\n1\n' })],
    ['clearing', () => server.post('/table/demo/fixed/clear')],
    ['deleting', () => server.delete('/table/demo/fixed')],
  ])('cannot be changed by %s', async (_what, change) => {
    await givenFile('fixed.csv', 'n\n1\n');
    await link('fixed', 'fixed.csv').catch(() => {});
    expect(await change()).toMatchObject({ status: 409, body: { code: 'linked_table' } });
    expect(await rowsOf(server, 'SELECT * FROM fixed')).toEqual([{ n: 1 }]);
  });

  it.each([
    ['nul.ndjson', '{"a\\u0000b": 1}\n', 'line 1: a NUL character'],
    ['nested-nul.ndjson', '{"a": [{"b\\u0000c": 1}]}\n', "line 1: the value of the key 'a' holds what is no text"],
    ['nul.csv', 'a\0b,c\n1,2\n', 'line 1: value 1: a NUL byte'],
    ['nameless.ndjson', '{"a": 1}\n{"": 1, "b": 2}\n', 'line 2: a key has no name'],
    ['cases.ndjson', '{"a": 1}\n{"A": 1}\n', "line 2: the keys 'a' and 'A' differ in case alone"],
  ])('is refused where its columns could not be read by their names: %s', async (file, text, problem) => {
    await givenFile(file, text);
    await expect(link('unreadable', file)).rejects.toMatchObject({
      code: 'unreadable_files',
      message: `The file ${file} cannot be read: ${problem}`,
    });
  });

  it('may have columns of any other names', async () => {
    await givenFile('odd.ndjson', '{"a\\nb": 1, "q\\"q": 2, "🦆": 3, "C0": 4}\n');
    await link('odd', 'odd.ndjson');
    expect(await rowsOf(server, 'SELECT * FROM odd')).toEqual([{ 'a\nb': 1, 'q"q': 2, '🦆': 3, C0: 4 }]);
    await givenFile('odd.csv', '2022,"q""q\n"\n1,2\n');
    await link('odd_names', 'odd.csv', { options: { hasHeader: true } });
    expect(await rowsOf(server, 'SELECT * FROM odd_names')).toEqual([{ 2022: 1, 'q"q\n': 2 }]);
  });

  it('can be private', async () => {
    await givenFile('secret.csv', 'n\n1\n');
    await link('secret', 'secret.csv', { isPrivate: true });
    const other = await server.givenKey('other');
    expect(await failureOf(server, 'SELECT * FROM demo.secret', other)).toContain('demo.secret');
  });

  it.each([
    ['secret-1.csv', 'n,t\n1,x\n', 'n,t\nx,y\n', 'row 1 (line 2): column n takes a whole number'],
    [
      'secret-2.csv',
      'n,t\n1,x\n',
      'n,t\n1,x\n2,"y\n',
      "line 3: column 2, 't': the quote that opens here is never closed",
    ],
    ['secret-3.ndjson', '{"n": 1}\n', '{"n": "x"}\n', 'row 1 (line 1): column n takes a whole number'],
    [
      'secret-4.ndjson',
      '{"n": 1}\n',
      '{"n": 1\n',
      'line 1: a comma or a closing brace should stand before the end of the line',
    ],
  ])('tells no path and no name of a file that breaks: %s', async (file, text, broken, reason) => {
    const table = `broken_${/\d/.exec(file)}`;
    const place = `client-secret/year=2026/${file}`;
    await givenFile(place, text);
    await link(table, place);
    await givenFile(place, broken);
    const failure = await failureOf(server, `SELECT sum(n) FROM ${table}`);
    expect(failure).toContain(
      `The files of demo.${table} have changed since they were linked, and the operator must link them again: ${reason}`,
    );
    expect(failure).not.toMatch(/secret|in\/|\n|setting|fixes|linked-files/);
    await rm(join(files, place));
    expect(await failureOf(server, `SELECT sum(n) FROM ${table}`)).not.toContain('secret');
  });

  it.each([
    ['text', 'n\n1\n', 'year=20x6/b.csv'],
    ['folder', 'n\n1\n', 'b.csv'],
    ['columns', 'x\n1\n', 'year=2025/a.csv'],
  ])('says that its files have changed since they were linked: another %s', async (what, content, place) => {
    await givenFile(`changed_${what}/year=2025/a.csv`, 'n\n1\n');
    await link(`changed_${what}`, `changed_${what}`);
    await givenFile(`changed_${what}/${place}`, content);
    const failure = await failureOf(server, `SELECT * FROM changed_${what}`);
    expect(failure).toContain(
      `he files of demo.changed_${what} have changed since they were linked, and the operator must`,
    );
    expect(failure).not.toMatch(/in\/\d|data\.csv/);
  });

  it('says in one sentence that a Parquet file is damaged, without its name', async () => {
    const path = join(files, 'secret-damage.parquet');
    await copyFile('data/sample/earthquakes.parquet', path);
    await link('damaged', 'secret-damage.parquet');
    const bytes = await readFile(path);
    await writeFile(path, bytes.fill(0xff, 1_000, 3_000));
    const failure = await failureOf(server, 'SELECT * FROM damaged');
    expect(failure).toContain('a file of demo.damaged');
    expect(failure).not.toMatch(/secret|in\/|\n|read_parquet|SELECT|linked-files/);
    await writeFile(path, bytes.subarray(0, 5_000));
    const cut = await failureOf(server, 'SELECT * FROM damaged');
    expect(cut).toContain('a file of demo.damaged');
    expect(cut).not.toMatch(/secret|in\/|\n|read_parquet|SELECT|linked-files/);
  });

  it('does not tell which columns its files have instead', async () => {
    await copyFile('data/sample/airports.parquet', join(files, 'instead.parquet'));
    await link('instead', 'instead.parquet');
    await copyFile('data/sample/earthquakes.parquet', join(files, 'instead.parquet'));
    const failure = await failureOf(server, 'SELECT * FROM instead');
    expect(failure).toMatch(/have changed since they were linked.*\(.* does not have a column named "\w+"\)$/);
    expect(failure).not.toContain('Candidate');
  });

  it('has no column of the names of its files', async () => {
    await givenFile('named-secret.csv', 'n\n1\n');
    await link('named', 'named-secret.csv');
    expect(await failureOf(server, 'SELECT filename FROM named')).toContain('"filename" not found');
  });
});
