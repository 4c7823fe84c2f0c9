import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemporaryIngest } from '../../../test/support/temporary-ingest.js';
import { type ColumnType, toTableColumn } from '../../types/column-types.js';
import type { TableColumn } from '../../types/table-column.js';
import type { IngestedPart } from './staged-file.js';

let temporary: TemporaryIngest;

beforeAll(async () => {
  temporary = await TemporaryIngest.open();
});

afterAll(() => temporary.close());

type Format = 'appendCsv' | 'appendNdjson';

async function append(
  format: Format,
  text: string | Uint8Array,
  columns: readonly TableColumn[],
): Promise<IngestedPart> {
  const file = await temporary.stage(text);
  return temporary.ingest[format](file, columns);
}

async function rowsOf(format: Format, text: string | Uint8Array, columns: readonly TableColumn[]): Promise<unknown> {
  return temporary.rows(await append(format, text, columns));
}

const nullable = (name: string, type: ColumnType) => toTableColumn(name, type, true);
const required = (name: string, type: ColumnType) => toTableColumn(name, type, false);

const NAME_AND_SIZE = [nullable('name', 'varchar'), required('size', 'bigint')];
const DECIMAL: TableColumn = { name: 'x', type: { kind: 'decimal', precision: 38, scale: 18 }, nullable: true };
const ZONED: TableColumn = { name: 'x', type: { kind: 'scalar', name: 'TIMESTAMPTZ' }, nullable: true };

const MAX_UINT256 = String(2n ** 256n - 1n);
const MIN_INT256 = String(-(2n ** 255n));

interface TypeCase {
  readonly type: string;
  readonly column: TableColumn;
  /** Texts that are values, with what the engine prints if it is another text: `text -> print`. */
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
}

const TYPES: readonly TypeCase[] = [
  {
    type: 'varbinary',
    column: nullable('x', 'varbinary'),
    accepted: ['0x00fF -> \\x00\\xFF', '0x -> '],
    refused: ['00ff', '0x0', '0xgg', 'abc', ''],
  },
  {
    type: 'uint256',
    column: nullable('x', 'uint256'),
    accepted: ['0', MAX_UINT256],
    refused: ['-1', String(2n ** 256n), '1.0', '1e3', 'x'],
  },
  {
    type: 'int256',
    column: nullable('x', 'int256'),
    accepted: ['-5', MIN_INT256],
    refused: [String(-(2n ** 255n) - 1n), String(2n ** 255n), '0x10'],
  },
  {
    type: 'bigint',
    column: nullable('x', 'bigint'),
    accepted: ['9223372036854775807', '-9223372036854775808'],
    refused: ['9223372036854775808', '-9223372036854775809', '1.5', '1.0', '1e3', '', 'abc', '1_000', '0x10', ' 1'],
  },
  {
    type: 'integer',
    column: nullable('x', 'integer'),
    accepted: ['2147483647', '-2147483648'],
    refused: ['2147483648', '-2147483649', '1.5', 'NaN'],
  },
  {
    type: 'double',
    column: nullable('x', 'double'),
    accepted: [
      '1.5',
      '-1e-7 -> -1e-07',
      '5 -> 5.0',
      'NaN -> nan',
      '-Infinity -> -inf',
      '1e308 -> 1e+308',
      '0e-400 -> 0.0',
    ],
    refused: ['1e400', '1e-400', `0.${'0'.repeat(400)}1`, 'nan', 'inf', '1,5', 'x', ''],
  },
  {
    type: 'boolean',
    column: nullable('x', 'boolean'),
    accepted: ['true', 'false'],
    refused: ['t', '1', 'yes', ''],
  },
  {
    type: 'timestamp',
    column: nullable('x', 'timestamp'),
    accepted: [
      '2024-02-29 01:02:03.123456',
      '2024-02-29T01:02 -> 2024-02-29 01:02:00',
      '2024-02-29T01:02:03Z -> 2024-02-29 01:02:03',
      '2024-02-29 01:02:03.000 UTC -> 2024-02-29 01:02:03',
      '2024-02-29T01:02:03+00:00 -> 2024-02-29 01:02:03',
      '2024-02-29 -> 2024-02-29 00:00:00',
    ],
    refused: [
      '2024-02-29T01:02:03+01:00',
      '2024-02-30',
      '29.02.2024',
      '2024-02-29 01:02:03.1234567',
      '1709168523',
      '2024-02-29 25:00:00',
    ],
  },
  {
    type: 'date',
    column: nullable('x', 'date'),
    accepted: ['2024-02-29'],
    refused: ['2023-02-29', '2024-2-9', '2024-02-29 00:00:00', '02/29/2024', ''],
  },
  {
    type: 'decimal(38, 18)',
    column: DECIMAL,
    accepted: [
      '1.000000000000000001',
      '-5 -> -5.000000000000000000',
      '12345678901234567890 -> 12345678901234567890.000000000000000000',
    ],
    refused: ['1.0000000000000000001', '123456789012345678901', '1e3', 'NaN'],
  },
  {
    type: 'timestamp with time zone',
    column: ZONED,
    accepted: [
      '2024-02-29T01:02:03+01:00 -> 2024-02-29 00:02:03+00',
      '2024-02-29 01:02:03 -> 2024-02-29 01:02:03+00',
      '0001-01-01T01:00:00+01:00 -> 0001-01-01 00:00:00+00',
      '9999-12-31T22:59:59-0100 -> 9999-12-31 23:59:59+00',
    ],
    refused: [
      '2024-02-29T01:02:03+1',
      'now',
      '2024-02-29T01:02:03 Europe/Berlin',
      '0001-01-01T00:59:59+01:00',
      '9999-12-31T23:00:00-01',
    ],
  },
];

describe.each(TYPES)('a column of type $type', ({ column, accepted, refused }) => {
  const texts = accepted.map((value) => value.split(' -> ')[0] ?? '');
  const prints = accepted.map((value) => [value.split(' -> ').at(-1)]);

  it('takes values from CSV exactly', async () => {
    const csv = ['x', ...texts.map((text) => `"${text}"`), ...texts, '', ''].join('\n');
    await expect(rowsOf('appendCsv', csv, [column])).resolves.toEqual([...prints, ...prints, [null]]);
  });

  it('takes values from NDJSON exactly', async () => {
    const isBoolean = column.type.kind === 'scalar' && column.type.name === 'BOOLEAN';
    const lines = texts.map((text) => `{"x":${isBoolean ? text : JSON.stringify(text)}}`);
    const ndjson = [...lines, '{"x":null}', '{}'].join('\n');
    await expect(rowsOf('appendNdjson', ndjson, [column])).resolves.toEqual([...prints, [null], [null]]);
  });

  it.each(refused)('refuses %j', async (text) => {
    await expect(append('appendCsv', `x\n"${text}"\n`, [column])).rejects.toMatchObject({
      code: 'invalid_row',
      details: { line: 2, row: 1, column: 'x', value: text.length > 60 ? `${text.slice(0, 60)}…` : text },
    });
    await expect(append('appendNdjson', `\n{"x":${JSON.stringify(text)}}\n`, [column])).rejects.toMatchObject({
      code: 'invalid_row',
      details: { line: 2, row: 1, column: 'x' },
    });
  });
});

describe('appendCsv', () => {
  it('finds columns by their names, in any order and case, and leaves out what may be missing', async () => {
    const columns = [nullable('a', 'bigint'), nullable('B c', 'varchar'), nullable('d', 'date')];
    await expect(rowsOf('appendCsv', 'b C,A\nx,1\n,\n', columns)).resolves.toEqual([
      ['1', 'x', null],
      [null, null, null],
    ]);
  });

  it('takes numbers that are written like texts of digits', async () => {
    await expect(rowsOf('appendCsv', 'x\n007\n+5\n-0\n', [nullable('x', 'integer')])).resolves.toEqual([
      ['7'],
      ['5'],
      ['0'],
    ]);
    await expect(rowsOf('appendCsv', 'x\n.5\n5.\n', [nullable('x', 'double')])).resolves.toEqual([['0.5'], ['5.0']]);
  });

  it('tells the empty string from no value', async () => {
    await expect(
      rowsOf('appendCsv', 'x,y\n"",\n,""\n', [nullable('x', 'varchar'), nullable('y', 'varchar')]),
    ).resolves.toEqual([
      ['', null],
      [null, ''],
    ]);
  });

  it('reads mixed line ends, trailing commas and empty lines', async () => {
    const csv = '\ufeffname,size,\r\nx,1,\n\n"y\r\nz",2,\r\n';
    await expect(rowsOf('appendCsv', csv, NAME_AND_SIZE)).resolves.toEqual([
      ['x', '1'],
      ['y\r\nz', '2'],
    ]);
  });

  it('writes the exact columns of the table, whatever the text has', async () => {
    const columns = [
      nullable('a', 'integer'),
      nullable('b', 'uint256'),
      nullable('c', 'varbinary'),
      required('d', 'date'),
    ];
    const part = await append('appendCsv', 'd\n2024-01-01\n', columns);
    expect(part.columns).toEqual(columns);
    await expect(temporary.rows(part)).resolves.toEqual([[null, null, null, '2024-01-01']]);
  });

  it('takes no rows from a header alone', async () => {
    await expect(append('appendCsv', 'size\n', NAME_AND_SIZE)).resolves.toMatchObject({ rowCount: 0 });
  });

  it.each([
    [
      'name,size\nx,1\ny,abc\n',
      "row 2 (line 3): column size takes a whole number from -9223372036854775808 to 9223372036854775807, not 'abc'",
    ],
    ['name,size\n"x\ny",1\nz,\n', 'row 2 (line 4): column size must have a value'],
    ['name\nx\n', 'line 1: column size is missing, and it must have a value'],
    ['size,color\n1,red\n', "line 1: the table has no column 'color', its columns are name, size"],
    ['size,Size\n1,2\n', "line 1: column 2, 'Size': column 1 has the same name, and case makes no difference"],
    ['size,\n1,x\n', "line 2: the value 'x' stands in column 2, which has no name"],
    ['name,size\nx\n', "line 2: 1 value, but the header has 2 columns: column 2, 'size', has none"],
    ['', 'line 1: the text is empty: it needs a line that names the columns'],
  ])('refuses %j', async (csv, message) => {
    await expect(append('appendCsv', csv, NAME_AND_SIZE)).rejects.toMatchObject({ kind: 'invalid', message });
  });

  it('quotes a long value by its beginning', async () => {
    const error = await append('appendCsv', `size\n${'x'.repeat(1000)}\n`, NAME_AND_SIZE).catch((thrown) => thrown);
    expect(error.details.value).toBe(`${'x'.repeat(60)}…`);
  });
});

describe('appendNdjson', () => {
  it('reads keys in any order, white space, escapes and lines that end with CR LF', async () => {
    const lines = [
      '{"name":"x","size":1}',
      '',
      ' { "size" : 2 , "name" : "a\\n\\"\\u00e9\\ud83d\\ude00" } \r',
      '\t',
      '{"s\\u0069ze":3}',
    ];
    await expect(rowsOf('appendNdjson', lines.join('\n'), NAME_AND_SIZE)).resolves.toEqual([
      ['x', '1'],
      ['a\n"é😀', '2'],
      [null, '3'],
    ]);
  });

  it('keeps every digit of a number', async () => {
    const columns = [
      nullable('a', 'uint256'),
      nullable('b', 'bigint'),
      { ...DECIMAL, name: 'c' },
      nullable('d', 'double'),
    ];
    const line = `{"a":${MAX_UINT256},"b":-9223372036854775808,"c":0.123456789012345,"d":0.30000000000000004}`;
    await expect(rowsOf('appendNdjson', line, columns)).resolves.toEqual([
      [MAX_UINT256, '-9223372036854775808', '0.123456789012345000', '0.30000000000000004'],
    ]);
  });

  it('refuses a decimal number that would lose digits unless it is a string', async () => {
    await expect(append('appendNdjson', '{"x":1.000000000000000001}', [DECIMAL])).rejects.toMatchObject({
      message: expect.stringContaining('in a string if it has more than 15 digits'),
    });
  });

  it.each([
    ['{"x":5}', 'varchar'],
    ['{"x":true}', 'varchar'],
    ['{"x":{}}', 'varchar'],
    ['{"x":[1]}', 'varchar'],
    ['{"x":true}', 'bigint'],
    ['{"x":"true"}', 'boolean'],
    ['{"x":1}', 'boolean'],
    ['{"x":1.5}', 'bigint'],
    ['{"x":1e2}', 'bigint'],
    ['{"x":20240229}', 'date'],
    ['{"x":1709168523}', 'timestamp'],
    ['{"x":255}', 'varbinary'],
    ['{"x":NaN}', 'double'],
    ['{"x":1e400}', 'double'],
    ['{"x":01}', 'bigint'],
    ['{"x":+1}', 'bigint'],
    ['{"x":"01"}', 'bigint'],
    ['{"x":.5}', 'double'],
    ['{"x":TRUE}', 'boolean'],
    ['{"x":Null}', 'bigint'],
  ] as const)('refuses %s for a column of type %s', async (line, type) => {
    await expect(append('appendNdjson', `{}\n${line}\n`, [nullable('x', type)])).rejects.toMatchObject({
      code: 'invalid_row',
      details: { line: 2, row: 2, column: 'x' },
    });
  });

  it.each([
    ['{"x":{"a":[1,"}"]}}', '{"a":[1,"}"]}'],
    ['{"x":[1,2] }', '[1,2]'],
    ['{"x":["a"', '["a"'],
    ['{"x":tru, "y":1}', 'tru'],
    ['{"x":"abc"}', '"abc"'],
  ])('names the whole value that does not fit: %s', async (line, value) => {
    await expect(append('appendNdjson', line, [nullable('x', 'bigint')])).rejects.toMatchObject({ details: { value } });
  });

  it('names a value of CSV without the quotes around it', async () => {
    await expect(append('appendCsv', 'x\n"a ""b"""\n', [nullable('x', 'bigint')])).rejects.toMatchObject({
      details: { value: 'a "b"' },
    });
  });

  it.each([
    ['appendCsv', 'x\nbad\n1\n\0\n'],
    ['appendCsv', 'x\nbad\n\xff\n'],
    ['appendNdjson', '{"x":"bad"}\n{"x":1}\n\0'],
    ['appendNdjson', '{"x":"bad"}\n{"x":"\xff"}\n'],
  ] as const)('tells of the first error, not of what is no text behind it: %s %j', async (format, text) => {
    const bytes = Buffer.from(text, 'latin1');
    await expect(append(format, bytes, [nullable('x', 'bigint')])).rejects.toMatchObject({
      code: 'invalid_row',
      details: { row: 1, column: 'x' },
    });
  });

  it.each([
    ['1\n\xff\n\0\n', 'line 3'],
    ['1\n\0\n\xff\n', 'line 3'],
  ])('tells of what is first of what is no text: %j', async (rows, place) => {
    await expect(append('appendCsv', Buffer.from(`x\n${rows}`, 'latin1'), [nullable('x', 'bigint')])).rejects.toThrow(
      place,
    );
  });

  it.each([
    [
      '{"name":"x","size":1}\n{"size":2,"color":"red"}\n',
      'invalid_row',
      "row 2 (line 2): the table has no column 'color', its columns are name, size",
    ],
    ['{"SIZE":1}', 'invalid_row', "row 1 (line 1): the table has no column 'SIZE', its columns are name, size"],
    ['{"size":1}\n{"name":"x"}\n', 'invalid_row', 'row 2 (line 2): column size must have a value'],
    ['{"size":1}\n{"size":null}\n', 'invalid_row', 'row 2 (line 2): column size must have a value'],
    ['{"size":1,"size":2}', 'invalid_ndjson', "line 1: the key 'size' stands there twice"],
    ['{"size":1,"s\\u0069ze":2}', 'invalid_ndjson', "line 1: the key 'size' stands there twice"],
    ['[{"size":1}]', 'invalid_ndjson', `line 1: an object in braces should stand before '[{"size":1}]'`],
    ['[\n{"size":1},\n{"size":2}\n]', 'invalid_ndjson', `line 1: an object in braces should stand before '['`],
    ['{"size":1} {"size":2}', 'invalid_ndjson', 'line 1: one object a line, and nothing after it'],
    ['{"size":1},', 'invalid_ndjson', 'line 1: one object a line, and nothing after it'],
    ['{"size":1\n}', 'invalid_ndjson', 'line 1: a comma or a closing brace should stand before the end of the line'],
    ['{"size":1,}', 'invalid_ndjson', `line 1: a key in quotes should stand before '}'`],
    ['{size:1}', 'invalid_ndjson', `line 1: a key in quotes should stand before 'size:1}'`],
    ['{"size" 1}', 'invalid_ndjson', `line 1: a colon should stand before '1}'`],
    [
      '{"size":1}\n{"name":"x',
      'invalid_ndjson',
      'line 2: a string does not end, or holds a control character that is not escaped',
    ],
    [
      '{"name":"x\ty"}',
      'invalid_ndjson',
      'line 1: a string does not end, or holds a control character that is not escaped',
    ],
    ['{"name":"\\x"}', 'invalid_ndjson', 'line 1: a string holds an escape that is none'],
    ['{"name":"\\ud83d"}', 'invalid_ndjson', 'line 1: a string holds an escape that is none'],
    ['{"name":"\\u0000"}', 'invalid_ndjson', 'line 1: a NUL character'],
    ['{"size":1}\n\0', 'invalid_ndjson', 'line 2: a NUL byte'],
    ['\ufeff{"size":1}', 'invalid_ndjson', 'line 1: a byte order mark: send the text without it'],
    [
      '{"size":}',
      'invalid_row',
      "row 1 (line 1): column size takes a whole number from -9223372036854775808 to 9223372036854775807, not '}'",
    ],
  ])('refuses %j', async (text, code, message) => {
    await expect(append('appendNdjson', text, NAME_AND_SIZE)).rejects.toMatchObject({ kind: 'invalid', code, message });
  });

  it('refuses invalid UTF-8 with its line', async () => {
    const text = Buffer.concat([Buffer.from('{"size":1}\n{"size":2,"name":"'), Buffer.of(0xff), Buffer.from('"}\n')]);
    await expect(append('appendNdjson', text, NAME_AND_SIZE)).rejects.toMatchObject({
      message: 'line 2: not valid UTF-8',
    });
  });

  it('finds one bad line among very many, and takes none of them', async () => {
    const lines = Array.from({ length: 300_000 }, (_, index) => `{"name":"${index}","size":${index}}`);
    lines[299_998] = '{"name":"x","size":1.5}';
    const file = await temporary.stage(lines.join('\n'));
    const before = await temporary.leftovers();
    await expect(temporary.ingest.appendNdjson(file, NAME_AND_SIZE)).rejects.toMatchObject({
      details: { line: 299_999, row: 299_999, column: 'size', value: '1.5' },
    });
    await expect(temporary.leftovers()).resolves.toEqual(before);
  });

  it('reads lines of 10 MB', async () => {
    const large = 'ä"'.repeat(3_000_000);
    const text = [1, 2, 3].map((size) => JSON.stringify({ size, name: large })).join('\n');
    const rows = await temporary.rows(await append('appendNdjson', text, NAME_AND_SIZE));
    expect(rows.map(([name, size]) => [name === large, size])).toEqual([
      [true, '1'],
      [true, '2'],
      [true, '3'],
    ]);
  });

  it('reads lines of 10 MB that are nearly all blanks', async () => {
    const text = [1, 2, 3].map((size) => `{"size":${size}${' '.repeat(10_000_000)}}`).join('\n');
    await expect(rowsOf('appendNdjson', text, NAME_AND_SIZE)).resolves.toEqual([
      [null, '1'],
      [null, '2'],
      [null, '3'],
    ]);
  });

  it('takes no rows from an empty text', async () => {
    await expect(append('appendNdjson', '', NAME_AND_SIZE)).resolves.toMatchObject({ rowCount: 0 });
  });
});
