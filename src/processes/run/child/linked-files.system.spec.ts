import { appendFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LinkedTextFolder } from '../../../../test/support/linked-text.js';
import { toTableColumn } from '../../../types/column-types.js';
import { LinkedTexts } from './linked-texts.js';

let folder: LinkedTextFolder;

beforeAll(async () => {
  folder = await LinkedTextFolder.open();
});

afterAll(() => folder.close());

describe('the options of a link', () => {
  it('can make every value text', async () => {
    await folder.write('all-text.csv', 'a,b\n1,\n007,""\n');
    expect(await folder.link('all-text.csv', { isAllText: true })).toEqual({
      columns: ['a varchar', 'b varchar'],
      rows: [
        ['1', null],
        ['007', ''],
      ],
    });
    await folder.write('all-text.ndjson', '{"a":1,"b":[1]}\n{"a":true,"b":"x"}\n{"a":0.25}\n');
    expect(await folder.link('all-text.ndjson', { isAllText: true })).toEqual({
      columns: ['a varchar', 'b varchar'],
      rows: [
        ['1', '[1]'],
        ['true', 'x'],
        ['0.25', null],
      ],
    });
  });

  it('can give types, which values must fit', async () => {
    await folder.write('types.csv', 'a,b,c\n1,007,0.1234567890123456789\n');
    const columns = [toTableColumn('B', 'integer', true), toTableColumn('c', 'double', true)];
    expect(await folder.link('types.csv', { columns })).toEqual({
      columns: ['a bigint', 'B integer', 'c double'],
      rows: [['1', '7', '0.12345678901234568']],
    });
    await folder.write('wide.csv', `n,b\n${2n ** 256n - 1n},0x00ff\n`);
    const wide = [toTableColumn('n', 'uint256', true), toTableColumn('b', 'varbinary', true)];
    const described = await folder.describe('wide.csv', { columns: wide });
    expect(described.columns).toEqual(wide);
    expect((await folder.read('wide.csv', described)).rows).toEqual([[String(2n ** 256n - 1n), '\\x00\\xFF']]);
    await folder.write('long.ndjson', '{"x":1}\n{"x":0.1234567890123456789}\n');
    const rounded = await folder.link('long.ndjson', { columns: [toTableColumn('x', 'double', true)] });
    expect(rounded.rows).toEqual([['1.0'], ['0.12345678901234568']]);
  });

  it.each([
    [
      'a value that does not fit',
      { columns: [toTableColumn('a', 'date', true)] },
      'row 1 (line 2): column a takes a date',
    ],
    [
      'a column that is not there',
      { columns: [toTableColumn('x', 'date', true)] },
      "The files have no column 'x': their",
    ],
  ])('are refused with %s', async (_what, options, message) => {
    await folder.write('options.csv', 'a,b\n1,2\n');
    await expect(folder.describe('options.csv', options)).rejects.toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  it('can say what the delimiter is', async () => {
    const text = 'a;b,c\n1;2,3\n4;5,6\n';
    await folder.write('delimiter.csv', text);
    expect(await folder.link('delimiter.csv', { delimiter: ';' })).toEqual({
      columns: ['a bigint', 'b,c varchar'],
      rows: [
        ['1', '2,3'],
        ['4', '5,6'],
      ],
    });
    expect((await folder.describe('delimiter.csv', { delimiter: ',' })).columns).toMatchObject([
      { name: 'a;b' },
      { name: 'c' },
    ]);
    await folder.write('found.csv', 'a;b\n1;2\n3\n');
    await expect(folder.describe('found.csv')).rejects.toThrow(
      "line 3: 1 value, but the header has 2 columns: column 2, 'b', has none (the delimiter was found to be ';', --delimiter gives another)",
    );
  });

  it('can say that names are taken as they are', async () => {
    await folder.write('names.csv', 'state,2022\nx,1\n');
    await expect(folder.describe('names.csv')).rejects.toThrow(
      "The file names.csv cannot be read: line 1: column 2, '2022': a column name begins with a letter, not with a digit or " +
        'a special character (--header yes takes the names of the columns as they are, --header no takes the first line as values)',
    );
    const table = { columns: ['state varchar', '2022 bigint'], rows: [['x', '1']] };
    const described = await folder.describe('names.csv', { hasHeader: true });
    expect(await folder.read('names.csv', described)).toEqual(table);
    expect(await folder.read('names.csv', described, false)).toEqual(table);
  });

  it('can say that there is no header', async () => {
    await folder.write('bare/1.csv', '1;x\n2;y\n');
    await folder.write('bare/2.csv', '\ufeff3;"z;"\n');
    const rows = [
      ['1', 'x'],
      ['2', 'y'],
      ['3', 'z;'],
    ];
    const described = await folder.describe('bare', { hasHeader: false });
    const generated = { columns: ['column0 bigint', 'column1 varchar'], rows };
    expect(await folder.read('bare', described)).toEqual(generated);
    expect(await folder.read('bare', described, false)).toEqual(generated);
    const columns = [toTableColumn('n', 'integer', true), toTableColumn('t', 'varchar', true)];
    const named = await folder.link('bare', { hasHeader: false, columns });
    expect(named).toEqual({ columns: ['n integer', 't varchar'], rows });
    await expect(folder.describe('bare', { hasHeader: false, columns: columns.slice(1) })).rejects.toThrow(
      'The file bare/1.csv cannot be read: line 1: 2 values, but the table has 1 column',
    );
  });
});

describe('linked text files of one table', () => {
  it('may have columns in any order, and not all of them', async () => {
    await folder.write('order/1.csv', 'a,b\n1,x\n');
    await folder.write('order/2.csv', 'B,c,a\ny,2024-01-01,2\n');
    await folder.write('order/3.csv', 'a\n3\n');
    const table = {
      columns: ['a bigint', 'b varchar', 'c date'],
      rows: [
        ['1', 'x', null],
        ['2', 'y', '2024-01-01'],
        ['3', null, null],
      ],
    };
    const described = await folder.describe('order');
    expect(await folder.read('order', described)).toEqual(table);
    expect(await folder.read('order', described, false)).toEqual(table);
  });

  it('have the types that fit the values of all', async () => {
    await folder.write('types/1.csv', 'a,b,c\n1,1,2024-01-01\n');
    await folder.write('types/2.csv', 'a,b,c\n1.5,x,2024-01-01 10:00:00\n');
    expect((await folder.link('types')).columns).toEqual(['a double', 'b varchar', 'c timestamp']);
  });

  it('have one delimiter, which files of one column do not show', async () => {
    await folder.write('delimiter/1.csv', 'a\n1\n');
    await folder.write('delimiter/2.csv', 'a;b\n2;1,5\n');
    expect((await folder.link('delimiter')).rows).toEqual([
      ['1', null],
      ['2', '1,5'],
    ]);
    await folder.write('delimiter/3.csv', 'a|b\n2|x\n');
    await expect(folder.describe('delimiter')).rejects.toThrow(
      "The file delimiter/3.csv cannot be read: its delimiter is '|', not ';', as in delimiter/2.csv: link files of one delimiter together",
    );
  });

  it('have columns in the names of folders whose types keep every value', async () => {
    await folder.write('hive/code=007/day=2024-01-01/n=1/a.csv', 'x,n\n1,9\n');
    await folder.write('hive/code=8/day=__HIVE_DEFAULT_PARTITION__/n=20/a%20b.csv', 'x\n2\n');
    const described = await folder.describe('hive');
    expect(await folder.read('hive', described)).toEqual({
      columns: ['x bigint', 'code varchar', 'day date', 'n bigint'],
      rows: [
        ['1', '007', '2024-01-01', '1'],
        ['2', '8', null, '20'],
      ],
    });
    expect(await folder.explain('hive', described, "WHERE code = '8'")).toMatch(/Scanning Files: 0\/1/);
    expect((await folder.link('hive', { columns: [toTableColumn('code', 'bigint', true)] })).rows[0]).toEqual([
      '1',
      '7',
      '2024-01-01',
      '1',
    ]);
  });

  it('are read only as far as a query asks for their columns', async () => {
    await folder.write('pushed.csv', 'a,b,c\n1,2,3\n');
    const described = await folder.describe('pushed.csv');
    expect(await folder.explain('pushed.csv', described, 'WHERE b = 2')).toMatch(/Projections:[^├]*cell 0[^├]*cell 1/);
  });
});

describe('a file that has come or changed since the link', () => {
  const MUST = 'have changed since they were linked, and the operator must link them again';

  it.each([
    ['csv', 'n,t\n1,x\n', 'n,t\n2,y\nz,y\n', 'row 2 (line 3): column n takes a whole number'],
    ['csv', 'n\n1\n', 'n\n1.5\n', 'row 1 (line 2): column n takes a whole number'],
    ['csv', 'n\n1\n', 'n\n007\n', 'row 1 (line 2): column n takes a whole number'],
    [
      'csv',
      'n\n1.5\n',
      'n\n0.1234567890123456789\n',
      'row 1 (line 2): column n takes a number that a double can hold with',
    ],
    ['csv', 'd\n2024-01-01\n', 'd\n01/02/2024\n', 'row 1 (line 2): column d takes a date like 2024-02-29'],
    ['csv', 'n,t\n1,x\n', 'n,t\n1\n', 'line 2: 1 value, but the header has 2 columns'],
    ['csv', 'n,t\n1,x\n', 'n;t\n1;x\n', 'none of them has the column "n"'],
    ['ndjson', '{"n":1}\n', '{"n":1}\n{"n":2.5}\n', 'row 2 (line 2): column n takes a whole number'],
    ['ndjson', '{"n":"x"}\n', '{"n":1.50}\n', 'line 1: column n: text would not keep the number 1.50'],
    ['ndjson', '{"n":1}\n', '{"n":1}\n{"N":2}\n', "line 2: the keys 'n' and 'N' differ in case alone"],
  ])('must fit the table: %s %j, then %j', async (format, before, after, reason) => {
    await folder.write(`changed.${format}`, before);
    const described = await folder.describe(`changed.${format}`);
    await folder.write(`changed.${format}`, `${after}${format === 'csv' ? '' : '\n'}`);
    await expect(folder.read(`changed.${format}`, described)).rejects.toThrow(`The files of ada.t ${MUST}: ${reason}`);
  });

  it('may have other columns, of whatever form', async () => {
    await folder.write('more.csv', 'n\n1\n');
    const described = await folder.describe('more.csv');
    await folder.write('more.csv', '2022,N\n"x\ny",1\n');
    expect((await folder.read('more.csv', described)).rows).toEqual([['1']]);
    await folder.write('more.ndjson', '{"n":1}\n');
    const lines = await folder.describe('more.ndjson');
    await folder.write('more.ndjson', '{"other":{"a":[1e400]},"n":1}\n{"other":1,"other":2,"n":2}\n');
    expect((await folder.read('more.ndjson', lines)).rows).toEqual([['1'], ['2']]);
  });

  it('makes a query fail if it changes while the query reads it', async () => {
    await folder.write('meanwhile.csv', 'n\n1\n');
    const table = await folder.tableOf('meanwhile.csv', await folder.describe('meanwhile.csv'));
    const texts = await LinkedTexts.prepare([table], 1e9);
    await expect(texts.readUnchanged(async () => 7)).resolves.toBe(7);
    const change = () => appendFile(folder.pathOf('meanwhile.csv'), '2\n');
    await expect(texts.readUnchanged(change)).rejects.toThrow(
      'A file of ada.t was changed while the query read it: run the query again',
    );
  });

  it('is rewritten for the engine only as far as there is room', async () => {
    await folder.write('unusual.csv', 'a,b\n"x, y",5" pipe\n');
    const table = await folder.tableOf('unusual.csv', await folder.describe('unusual.csv'));
    await expect(LinkedTexts.prepare([table], 10)).rejects.toThrow(
      'The files of ada.t have quotes or line ends that have to be rewritten for each query',
    );
    await rm(`${folder.pathOf('unusual.csv')}.plain.csv`);
  });
});
