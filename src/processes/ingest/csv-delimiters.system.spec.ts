import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemporaryIngest } from '../../../test/support/temporary-ingest.js';
import { toWireTypeName } from '../../types/wire-type-name.js';
import { parseDelimiter } from './csv-delimiter.js';
import type { CsvOptions } from './csv-options.js';
import type { IngestedPart } from './staged-file.js';

let temporary: TemporaryIngest;

beforeAll(async () => {
  temporary = await TemporaryIngest.open();
});

afterAll(() => temporary.close());

async function infer(csv: string, options?: CsvOptions): Promise<IngestedPart> {
  return temporary.ingest.inferCsv(await temporary.stage(csv), options);
}

function typesOf({ columns }: IngestedPart): Record<string, string> {
  return Object.fromEntries(columns.map(({ name, type }) => [name, toWireTypeName(type)]));
}

/** Every delimiter that can be given. */
const DELIMITERS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => parseDelimiter(character) === character,
);

describe('inferCsv: delimiters', () => {
  it.each([
    ['semicolons', ';'],
    ['tabs', '\t'],
    ['pipes', '|'],
  ])('finds %s, and keeps every value', async (_, delimiter) => {
    const rows = [
      ['id', 'price', 'text'],
      ['1', '1,5', `"a${delimiter}""b"""`],
      ['765629939811020802', '2,5', '""'],
      ['3', '', ' x, y '],
    ];
    const part = await infer(rows.map((cells) => cells.join(delimiter)).join('\n'));
    expect(typesOf(part)).toEqual({ id: 'bigint', price: 'varchar', text: 'varchar' });
    expect(await temporary.rows(part)).toEqual([
      ['1', '1,5', `a${delimiter}"b"`],
      ['765629939811020802', '2,5', ''],
      ['3', null, ' x, y '],
    ]);
  });

  it('reads a text with a byte order mark, mixed line ends and a trailing delimiter', async () => {
    const part = await infer('\ufeffa;b;\r\n1;5" pipe;\n2;x\r\n');
    expect(await temporary.rows(part)).toEqual([
      ['1', '5" pipe'],
      ['2', 'x'],
    ]);
  });

  it.each(DELIMITERS)('reads every value with the delimiter %j', async (delimiter) => {
    const cells = ['x', ' y z ', 'a,b;c|d\te', '\\', '#', "o'q", 'é', '"q"', ''];
    const quotedCells = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`);
    const header = cells.map((_, index) => `c${index}`);
    const csv = [header, quotedCells, header.map(() => '')].map((row) => row.join(delimiter)).join('\n');
    expect(await temporary.rows(await infer(csv, { delimiter }))).toEqual([cells, cells.map(() => null)]);
  });

  it('uses the given delimiter', async () => {
    const part = await infer('a;b,c\n1;2,3\n', { delimiter: ',' });
    expect(typesOf(part)).toEqual({ 'a;b': 'varchar', c: 'bigint' });
  });

  it('finds the delimiter of a header of more than a megabyte', async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `${'n'.repeat(190)}${index}`);
    const quotedNames = names.map((name, index) => (index === 0 ? `"${name}${'\u{1F600}'.repeat(6)}"` : name));
    const csv = `${quotedNames.join(';')};"${' '.repeat(1_000_000)}"\n`;
    await expect(infer(csv)).rejects.toMatchObject({
      message:
        'line 1: 2001 columns, and a table has at most 2000 ' +
        "(read with the detected delimiter ';'; delimiter= sets another)",
    });
  });

  it('names the detected delimiter in a syntax error', async () => {
    await expect(infer('a;b;c\n1;2;3\n4;5\n')).rejects.toMatchObject({
      code: 'invalid_csv',
      message:
        "line 3: 2 values, but the header has 3 columns: column 3, 'c', has none " +
        "(read with the detected delimiter ';'; delimiter= sets another)",
      details: { line: 3, column: 'c', position: 3 },
    });
    await expect(infer('a;b\n1;2;3\n', { delimiter: ';' })).rejects.toMatchObject({
      message: 'line 2: 3 values, but the header has 2 columns: value 3 has no column',
    });
  });
});

describe('inferCsv: texts without a header', () => {
  it('takes the first record as data, and names the columns itself', async () => {
    const part = await infer('1;x\n2;y\n', { header: false });
    expect(typesOf(part)).toEqual({ column0: 'bigint', column1: 'varchar' });
    expect(part.rowCount).toBe(2);
    expect(await temporary.rows(part)).toEqual([
      ['1', 'x'],
      ['2', 'y'],
    ]);
  });

  it('reads them also in an unusual form', async () => {
    const part = await infer('\ufeff1,\r\n\n2,5" pipe\n', { header: false });
    expect(await temporary.rows(part)).toEqual([
      ['1', null],
      ['2', '5" pipe'],
    ]);
  });

  it('refuses ragged records', async () => {
    await expect(infer('1,2\n3\n', { header: false })).rejects.toMatchObject({ code: 'invalid_csv' });
  });
});

describe('appendCsv: delimiters', () => {
  it('finds the delimiter by which the header names columns of the table', async () => {
    const { columns } = await infer('a,"b,c"\n1,2\n');
    const part = await temporary.ingest.appendCsv(await temporary.stage('a;b,c\n3;4\n'), columns);
    expect(await temporary.rows(part)).toEqual([['3', '4']]);
  });

  it('uses the given delimiter', async () => {
    const { columns } = await infer('a,b\n1,2\n');
    const text = await temporary.stage('a^b\n3^4\n');
    const part = await temporary.ingest.appendCsv(text, columns, { delimiter: '^' });
    expect(await temporary.rows(part)).toEqual([['3', '4']]);
  });
});
