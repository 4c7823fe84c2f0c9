import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemporaryIngest } from '../../../test/support/temporary-ingest.js';
import { toTableColumn } from '../../types/column-types.js';
import type { CsvOptions } from './csv-options.js';
import type { IngestedPart } from './staged-file.js';

let temporary: TemporaryIngest;

beforeAll(async () => {
  temporary = await TemporaryIngest.open();
});

afterAll(() => temporary.close());

const NORMALIZE: CsvOptions = { columnNames: 'normalize' };
const ADVICE = '(column_names=normalize replaces such names)';

async function infer(csv: string, options: CsvOptions = NORMALIZE): Promise<IngestedPart> {
  return temporary.ingest.inferCsv(await temporary.stage(csv), options);
}

async function append(csv: string, part: IngestedPart, options: CsvOptions = NORMALIZE): Promise<IngestedPart> {
  return temporary.ingest.appendCsv(await temporary.stage(csv), part.columns, options);
}

function namesOf({ columns }: IngestedPart): string[] {
  return columns.map(({ name }) => name);
}

describe('inferCsv: names that are normalized', () => {
  it('replaces invalid names, and lists them', async () => {
    const part = await infer(',state,2020,State,_id\n0,x,1,y,5\n');
    expect(namesOf(part)).toEqual(['column_1', 'state', 'c_2020', 'State_2', 'id']);
    expect(part.renamed).toEqual([
      { from: '', to: 'column_1', position: 1 },
      { from: '2020', to: 'c_2020', position: 3 },
      { from: 'State', to: 'State_2', position: 4 },
      { from: '_id', to: 'id', position: 5 },
    ]);
    expect(await temporary.rows(part)).toEqual([['0', 'x', '1', 'y', '5']]);
  });

  it('lists nothing if no name is replaced', async () => {
    expect(await infer('a,b\n1,2\n')).not.toHaveProperty('renamed');
  });

  it('lists a long name by its beginning', async () => {
    const part = await infer(`1${'x'.repeat(300)}\n5\n`);
    expect(namesOf(part)).toEqual([`c_1${'x'.repeat(197)}`]);
    expect(part.renamed?.[0]?.from).toBe(`1${'x'.repeat(199)}`);
  });

  it('drops an unnamed last column that has no values', async () => {
    const part = await infer('a,b,\n1,2,\n3,4\n');
    expect(namesOf(part)).toEqual(['a', 'b']);
    expect(part).not.toHaveProperty('renamed');
  });

  it('names an unnamed last column that has values', async () => {
    const part = await infer('a,b,\n1,2\n3,4,\n\n5,6,7\n8,9\n10,"",11\n');
    expect(namesOf(part)).toEqual(['a', 'b', 'column_3']);
    expect(part.renamed).toEqual([{ from: '', to: 'column_3', position: 3 }]);
    expect(await temporary.rows(part)).toEqual([
      ['1', '2', null],
      ['3', '4', null],
      ['5', '6', '7'],
      ['8', '9', null],
      ['10', '', '11'],
    ]);
  });

  it('keeps empty lines of a single column beside an unnamed one', async () => {
    const part = await infer('a;\n1;\n\n2;x\n');
    expect(await temporary.rows(part)).toEqual([
      ['1', null],
      [null, null],
      ['2', 'x'],
    ]);
  });

  it('counts an unnamed last column that has values', async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `n${index}`).join(',');
    await expect(infer(`${names},\n${','.repeat(2_000)}x\n`)).rejects.toMatchObject({
      message: 'line 2: 2001 columns, and a table has at most 2000',
    });
  });

  it('still refuses ragged rows', async () => {
    await expect(infer('1a,b\n1\n')).rejects.toMatchObject({ code: 'invalid_csv', details: { line: 2 } });
    await expect(infer('1a,b,\n1,2,3,4\n')).rejects.toMatchObject({ code: 'invalid_csv', details: { line: 2 } });
  });
});

describe('inferCsv: names that are kept', () => {
  it.each([
    [
      'a,2020\n',
      "line 1: column 2, '2020': a column name begins with a letter, not with a digit or a special character",
    ],
    ['a,,b\n', 'line 1: column 2: it has no name in the header'],
    ['a,A\n', "line 1: column 2, 'A': column 1 has the same name, and case makes no difference"],
    ['a,\n1,x\n', "line 2: the value 'x' stands in column 2, which has no name"],
  ])('refuses %j, and suggests column_names=normalize', async (csv, message) => {
    await expect(infer(csv, { columnNames: 'keep' })).rejects.toMatchObject({ message: `${message} ${ADVICE}` });
    await expect(infer(csv, {})).rejects.toMatchObject({ message });
    await expect(infer(csv)).resolves.toBeDefined();
  });
});

describe('appendCsv: names that are normalized', () => {
  it('finds the columns of a table that was uploaded with the same header', async () => {
    const csv = ',2020,x;y,X;Y,\n1,2,3,4,5\n';
    const part = await append(csv, await infer(csv));
    expect(part.renamed?.map(({ to }) => to)).toEqual(['column_1', 'c_2020', 'X;Y_2', 'column_5']);
    expect(await temporary.rows(part)).toEqual([['1', '2', '3', '4', '5']]);
  });

  it('finds the delimiter by names that are replaced', async () => {
    const part = await append('2020;a,b\n1;2\n', await infer('2020,"a,b"\n1,2\n'));
    expect(await temporary.rows(part)).toEqual([['1', '2']]);
  });

  it('refuses a value of a column without a name that the table does not have', async () => {
    await expect(append('a,\n1,x\n', await infer('a\n1\n'))).rejects.toMatchObject({
      message: "line 1: the table has no column 'column_2', its columns are a",
    });
  });

  it('suggests column_names=normalize for names that no table can have', async () => {
    const table = await infer('2020\n1\n');
    const message = "line 1: the table has no column '2020', its columns are c_2020";
    await expect(append('2020\n2\n', table, { columnNames: 'keep' })).rejects.toMatchObject({
      message: `${message} ${ADVICE}`,
    });
    await expect(append('other\n2\n', table, { columnNames: 'keep' })).rejects.toMatchObject({
      message: "line 1: the table has no column 'other', its columns are c_2020",
    });
  });

  it('takes NULL for the values that a short row lacks, unless the column must have one', async () => {
    const columns = [toTableColumn('a', 'bigint', true), toTableColumn('column_2', 'varchar', true)];
    const text = await temporary.stage('a,\n1,x\n2\n');
    const part = await temporary.ingest.appendCsv(text, columns, NORMALIZE);
    expect(await temporary.rows(part)).toEqual([
      ['1', 'x'],
      ['2', null],
    ]);
  });
});
