import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemporaryIngest } from '../../../test/support/temporary-ingest.js';
import { toWireTypeName } from '../../types/wire-type-name.js';
import type { IngestedPart } from './staged-file.js';

let temporary: TemporaryIngest;

beforeAll(async () => {
  temporary = await TemporaryIngest.open();
});

afterAll(() => temporary.close());

async function infer(csv: string | Uint8Array): Promise<IngestedPart> {
  return temporary.ingest.inferCsv(await temporary.stage(csv));
}

async function rowsOf(csv: string | Uint8Array): Promise<unknown> {
  return temporary.rows(await infer(csv));
}

function typesOf({ columns }: IngestedPart): Record<string, string> {
  return Object.fromEntries(columns.map(({ name, type }) => [name, toWireTypeName(type)]));
}

/** The type that a column of these cells gets, and the cells as they come out. */
async function columnOf(...cells: string[]): Promise<[type: string, ...cells: unknown[]]> {
  const part = await infer(['x,y', ...cells.map((cell) => `${cell},1`)].join('\n'));
  const rows = await temporary.rows(part);
  return [typesOf(part).x ?? '', ...rows.map(([cell]) => cell)];
}

describe('inferCsv: the text', () => {
  it.each([
    ['LF', 'a,b\n1,x\n2,y\n'],
    ['CR LF', 'a,b\r\n1,x\r\n2,y\r\n'],
    ['both', 'a,b\r\n1,x\n2,y\r\n'],
    ['both, LF first', 'a,b\n1,x\r\n2,y\n'],
    ['no line end at the end', 'a,b\n1,x\n2,y'],
    ['empty lines', 'a,b\n\n1,x\n\n\n2,y\n\n'],
    ['a byte order mark', '\ufeffa,b\n1,x\n2,y\n'],
    ['quotes around everything', '"a","b"\n"1","x"\n"2","y"\n'],
    ['a trailing comma', 'a,b,\n1,x,\n2,y,\n'],
    ['a trailing comma in the header only', 'a,b,\n1,x\n2,y\n'],
    ['a trailing comma and CR LF', 'a,b,\r\n1,x,\r\n2,y,'],
  ])('reads records with %s', async (_, csv) => {
    const part = await infer(csv);
    expect(typesOf(part)).toEqual({ a: 'bigint', b: 'varchar' });
    expect(part.rowCount).toBe(2);
    await expect(temporary.rows(part)).resolves.toEqual([
      ['1', 'x'],
      ['2', 'y'],
    ]);
  });

  it('keeps quotes, commas and line breaks within cells', async () => {
    const csv = 'a,b\r\n"x, ""y""","1\n2\r\n3"\r\n"""","\r\n"\r\n5" pipe,a"b"c\r\n "q",x\r\n';
    await expect(rowsOf(csv)).resolves.toEqual([
      ['x, "y"', '1\n2\r\n3'],
      ['"', '\r\n'],
      ['5" pipe', 'a"b"c'],
      [' "q"', 'x'],
    ]);
  });

  it.each([
    ['\r\n', '\n'],
    ['\r\n', '\r\n'],
    ['\n', '\r\n'],
    ['\n', '\n'],
  ])('reads records that end with %j, and cells that hold %j', async (newline, within) => {
    const csv = ['a,b', `"${within}x${within}y","${within}"`, `z,"q${within}"`, '1,2'].join(newline);
    await expect(rowsOf(csv)).resolves.toEqual([
      [`${within}x${within}y`, within],
      ['z', `q${within}`],
      ['1', '2'],
    ]);
  });

  it('tells the empty string from no value', async () => {
    await expect(rowsOf('a,b\n"",\n,""\n"",""\n,\n')).resolves.toEqual([
      ['', null],
      [null, ''],
      ['', ''],
      [null, null],
    ]);
  });

  it('keeps white space and words that others take for no value', async () => {
    await expect(rowsOf('a,b\n  x ,\t\nNULL,NA\nnull,\\N\n#,--\n')).resolves.toEqual([
      ['  x ', '\t'],
      ['NULL', 'NA'],
      ['null', '\\N'],
      ['#', '--'],
    ]);
  });

  it('takes an empty line among one column as a row without a value', async () => {
    await expect(rowsOf('a\n1\n\n3\n\n')).resolves.toEqual([['1'], [null], ['3'], [null]]);
  });

  it('takes names of letters of any script, with spaces and emojis behind', async () => {
    const part = await infer('größe,名前,my price 😀,"a,b","q""q",select\n1,2,3,4,5,6\n');
    expect(part.columns.map(({ name }) => name)).toEqual(['größe', '名前', 'my price 😀', 'a,b', 'q"q', 'select']);
    await expect(temporary.rows(part)).resolves.toEqual([['1', '2', '3', '4', '5', '6']]);
  });

  it.each([['a,b'], ['a,b\n'], ['a,b\r\n\r\n']])('makes columns of text of a header alone: %j', async (csv) => {
    const part = await infer(csv);
    expect(part.rowCount).toBe(0);
    expect(typesOf(part)).toEqual({ a: 'varchar', b: 'varchar' });
    await expect(temporary.rows(part)).resolves.toEqual([]);
  });

  it('reads 1,000 columns', async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `c${index}`);
    const values = names.map((_, index) => String(index));
    await expect(rowsOf(`${names}\n${values}\n${values}\n`)).resolves.toEqual([values, values]);
  });

  it('reads a cell of 10 MB', async () => {
    const large = 'äöü\n"",'.repeat(1_000_000);
    const part = await infer(`a,b\n1,"${large}"\n2,x\n`);
    const [[, first] = [], second] = await temporary.rows(part);
    expect(first === large.replaceAll('""', '"')).toBe(true);
    expect(second).toEqual(['2', 'x']);
  });

  it('reads a text of many pieces, whose records and characters are cut anywhere', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => [String(index), `ä${'🙂'.repeat(index % 7)}"\n${index}`]);
    const csv = `n,t\n${rows.map(([n, t]) => `${n},"${t?.replaceAll('"', '""')}"`).join('\n')}`;
    await expect(rowsOf(csv)).resolves.toEqual(rows);
  });
});

describe('inferCsv: large texts', () => {
  it('takes no carriage return within a cell for the end of a row', async () => {
    const count = 299_999;
    const address = '12 Main St,\rSpringfield,\rUSA,';
    const rows = Array.from({ length: count }, (_, index) => `n${index + 1},"${address}"\n`);
    const part = await infer(`name,addr\n${rows.join('')}`);
    expect(part.rowCount).toBe(count);
    expect((await temporary.rows(part)).filter(([, cell]) => cell !== address)).toEqual([]);
  });
});

describe('inferCsv: what is refused', () => {
  const code = 'invalid_csv';
  it.each([
    ['', { code, details: { line: 1 } }],
    ['\n\n', { code, details: { line: 1 } }],
    [
      'a,b\n1\n',
      {
        code,
        message: "line 2: 1 value, but the header has 2 columns: column 2, 'b', has none",
        details: { line: 2, position: 2, column: 'b' },
      },
    ],
    [
      'a,b\n1,2\n\n"x\ny",2\n1,2,3\n',
      {
        code,
        message: 'line 6: 3 values, but the header has 2 columns: value 3 has no column',
        details: { line: 6, position: 3 },
      },
    ],
    ['a,b\n1,2,\n', { code, details: { line: 2, position: 3 } }],
    [
      'a,b,\n1,2,\n1,2,x\n',
      {
        code,
        message: "line 3: the value 'x' stands in column 3, which has no name",
        details: { line: 3, position: 3 },
      },
    ],
    [
      'a,b\n1,"2\n3,4\n',
      {
        code,
        message: "line 2: column 2, 'b': the quote that opens here is never closed",
        details: { line: 2, position: 2, column: 'b' },
      },
    ],
    ['a,b\n"x\ny","z\n', { code, details: { line: 3, position: 2, column: 'b' } }],
    [
      'a,"b\n1,2\n',
      {
        code,
        message: 'line 1: value 2: the quote that opens here is never closed',
        details: { line: 1, position: 2 },
      },
    ],
    [
      'a,b,\n1,2,"x',
      {
        code,
        message: 'line 2: value 3: the quote that opens here is never closed',
        details: { line: 2, position: 3 },
      },
    ],
    [
      'a,b\n1,"2"x\n',
      {
        code,
        message:
          "line 2: column 2, 'b': text after the closing quote: put all of it between them, with each quote doubled",
        details: { line: 2, position: 2, column: 'b' },
      },
    ],
    ['a,b\n1,"2" \n', { code, details: { line: 2, position: 2, column: 'b' } }],
    [
      'a,b\r1,2\r',
      {
        code,
        message: 'line 1: value 2: a carriage return without a line feed: end lines with LF or CR LF',
        details: { line: 1, position: 2 },
      },
    ],
    ['a,b\n1,2\n3\r4,5\n', { code, details: { line: 3, position: 1, column: 'a' } }],
    [
      'a,b\n1,2\n3,\0\n',
      { code, message: "line 3: column 2, 'b': a NUL byte", details: { line: 3, position: 2, column: 'b' } },
    ],
    ['a,b\n1,2\n"x\n\0",4\n', { code, details: { line: 4, position: 1, column: 'a' } }],
    ['\0', { code, message: 'line 1: value 1: a NUL byte', details: { line: 1, position: 1 } }],
    ['\ufeff\0', { code, details: { line: 1, position: 1 } }],
    ['a,b\0\n', { code, details: { line: 1, position: 2 } }],
    ['a,b\n"x"y,\0\n', { code, details: { line: 2, position: 1, column: 'a' } }],
    ['a,,c\n1,2,3\n', { code: 'invalid_column_name', details: { line: 1, column: '', position: 2 } }],
    [',a\n1,2\n', { code: 'invalid_column_name', details: { line: 1, position: 1 } }],
    ['a,b,,\n1,2,,\n', { code: 'invalid_column_name', details: { line: 1, position: 3 } }],
    [`a,${'é'.repeat(200)}😀\n1,2\n`, { code: 'invalid_column_name', details: { column: 'é'.repeat(200) } }],
    ['a,b,A\n1,2,3\n', { code: 'invalid_column_name', details: { line: 1, column: 'A', position: 3 } }],
    ['a,1b\n1,2\n', { code: 'invalid_column_name', details: { line: 1, column: '1b', position: 2 } }],
    ['a,_b\n1,2\n', { code: 'invalid_column_name', details: { column: '_b' } }],
    ['a,😀\n1,2\n', { code: 'invalid_column_name', details: { column: '😀' } }],
    ['a, b\n1,2\n', { code: 'invalid_column_name', details: { column: ' b' } }],
    ['a,"b\nc"\n1,2\n', { code: 'invalid_column_name', details: { column: 'b\nc' } }],
  ])('refuses %j', async (csv, error) => {
    await expect(infer(csv)).rejects.toMatchObject({ kind: 'invalid', ...error });
  });

  it.each([
    ['a lone byte', Buffer.from([0xe4])],
    ['a character cut short', Buffer.from('😀').subarray(0, 3)],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
    ['an overlong form', Buffer.from([0xc0, 0xaf])],
  ])('refuses %s as UTF-8, wherever the pieces are cut', async (_, bytes) => {
    for (const fill of [0, 1_048_560, 1_048_570, 1_048_571, 1_048_572]) {
      const csv = Buffer.concat([Buffer.from(`a,b\n${'x'.repeat(fill)},1\n`), bytes, Buffer.from('x,1\n')]);
      await expect(infer(csv)).rejects.toMatchObject({
        message: "line 3: column 1, 'a': not valid UTF-8",
        details: { line: 3, position: 1, column: 'a' },
      });
    }
  });

  it('refuses a row of more than 16 MB', async () => {
    await expect(infer(`a,b\n1,2\n3,"${'x'.repeat(40_000_000)}"\n`)).rejects.toMatchObject({
      message: "line 3: column 2, 'b': a row may take at most 16 MB",
      details: { line: 3, position: 2, column: 'b' },
    });
  });

  it('leaves no file behind', async () => {
    const file = await temporary.stage('a,b\n1\n');
    const before = await temporary.leftovers();
    await expect(temporary.ingest.inferCsv(file)).rejects.toMatchObject({ code: 'invalid_csv' });
    await expect(temporary.leftovers()).resolves.toEqual(before);
  });
});

describe('inferCsv: types', () => {
  it.each([
    ['whole numbers', 'bigint', ['0', '-5', '9223372036854775807', '-9223372036854775808']],
    [
      'numbers of more than 64 bits',
      'decimal(38, 0)',
      ['9223372036854775808', '1', '-99999999999999999999999999999999999999'],
    ],
    ['numbers of more than 38 digits', 'varchar', ['1', '100000000000000000000000000000000000000']],
    ['numbers with leading zeros', 'varchar', ['007', '12']],
    ['numbers with a plus', 'varchar', ['+5', '12']],
    ['numbers with separators', 'varchar', ['1_000', '"1,000"', '0x10']],
    ['numbers with spaces', 'varchar', ['5', ' 5']],
    ['a point without digits behind it', 'varchar', ['5.', '1']],
    ['decimal numbers', 'double', ['1.5', '-2.25', '3.0', '1e-07', '0.30000000000000004']],
    ['decimal numbers of many digits', 'decimal(38, 18)', ['1.000000000000000001', '-20.500000000000000000']],
    ['decimal numbers of too many digits', 'varchar', ['0.1234567890123456789012345678901234567890']],
    ['decimal numbers beside long whole ones', 'decimal(38, 1)', ['9007199254740993.0', '0.5']],
    ['what no number can hold', 'varchar', ['1e400', '5']],
    ['what is 0 as a double', 'varchar', ['1e-400', '5']],
    ['dates', 'date', ['2024-02-29', '0001-01-01', '9999-12-31']],
    ['days that are none', 'varchar', ['2023-02-29', '2024-01-01']],
    ['dates of unclear order', 'varchar', ['03/04/2024', '13/04/2024']],
    ['dates in other forms', 'varchar', ['2024/01/02', '2.1.2024', '"Jan 2, 2024"']],
    ['dates in several forms', 'varchar', ['2024-01-02', '02.01.2024']],
    ['digits that may be a date', 'bigint', ['20240102', '20240103']],
    ['times', 'timestamp', ['2024-01-02 03:04:05', '2024-01-02 03:04:05.123456']],
    ['times beyond microseconds', 'varchar', ['2024-01-02 03:04:05.1234567']],
    ['times with and without zone', 'varchar', ['2024-01-02 03:04:05', '2024-01-02T03:04:05Z']],
    ['hours that are none', 'varchar', ['2024-01-02 24:00:00']],
    ['booleans', 'boolean', ['true', 'false']],
    ['letters that may be booleans', 'varchar', ['t', 'f', 'yes', 'no']],
    ['booleans and numbers', 'varchar', ['true', '1']],
    ['words for numbers that are none', 'varchar', ['NaN', 'Infinity']],
    ['other words for them', 'varchar', ['1.5', 'nan', 'inf']],
    ['numbers and dates', 'varchar', ['5', '2024-01-02']],
    ['empty strings and numbers', 'varchar', ['5', '""']],
  ])('reads %s as %s, and gives them back', async (_, type, cells) => {
    const texts = cells.map((cell) => cell.replaceAll('"', ''));
    await expect(columnOf(...cells)).resolves.toEqual([type, ...texts]);
  });

  it.each([
    [['.5', '-.25'], 'double', ['0.5', '-0.25']],
    [['1.10', '1.5e3', '-0'], 'double', ['1.1', '1500.0', '-0.0']],
    [['1.5', 'NaN', 'Infinity', '-Infinity'], 'double', ['1.5', 'nan', 'inf', '-inf']],
    [['True', 'FALSE'], 'boolean', ['true', 'false']],
    [['2024-01-02', '2024-01-02T03:04'], 'timestamp', ['2024-01-02 00:00:00', '2024-01-02 03:04:00']],
    [
      ['2024-01-02T03:04:05Z', '2024-01-02 03:04:05.5+02:00', '2024-01-02 03:04:05.000 UTC'],
      'timestamp with time zone',
      ['2024-01-02 03:04:05+00', '2024-01-02 01:04:05.5+00', '2024-01-02 03:04:05+00'],
    ],
    [['"5"', '7'], 'bigint', ['5', '7']],
  ])('reads %j as %s of the same value', async (cells, type, values) => {
    await expect(columnOf(...cells)).resolves.toEqual([type, ...values]);
  });

  it('reads a column without values as text', async () => {
    await expect(columnOf('', '', '')).resolves.toEqual(['varchar', null, null, null]);
  });

  it('passes over missing values', async () => {
    await expect(columnOf('', '5', '')).resolves.toEqual(['bigint', null, '5', null]);
  });

  it('looks at every value, also the last of many', async () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => `${index},2024-01-01`);
    const part = await infer(['n,d', ...rows, 'n/a,01.01.2024'].join('\n'));
    expect(typesOf(part)).toEqual({ n: 'varchar', d: 'varchar' });
    expect((await temporary.rows(part)).at(-1)).toEqual(['n/a', '01.01.2024']);
  });
});
