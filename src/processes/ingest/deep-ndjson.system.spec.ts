import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemporaryIngest } from '../../../test/support/temporary-ingest.js';
import { toTableColumn } from '../../types/column-types.js';

let temporary: TemporaryIngest;

beforeAll(async () => {
  temporary = await TemporaryIngest.open({}, 1_000_000);
});

afterAll(() => temporary.close());

const COLUMNS = [toTableColumn('x', 'varchar', true)];

async function append(text: string): Promise<unknown> {
  async function* chunks() {
    for (let at = 0; at < text.length; at += 65_536) yield Buffer.from(text.slice(at, at + 65_536));
  }
  const parts = await temporary.ingest.appendArrivingNdjson(chunks(), COLUMNS);
  return parts.reduce((rows, part) => rows + part.rowCount, 0);
}

const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const SHORT_LINES = '{"x":"short"}\n'.repeat(100);

describe('appendNdjson: nested values', () => {
  it.each([
    ['arrays, 65 levels', arrays(65)],
    ['arrays, 100,000 levels', arrays(100_000)],
    ['objects, 100,000 levels', objects(100_000)],
    ['objects that are not closed', '{"a":'.repeat(100_000)],
    ['arrays with spaces', '[ '.repeat(1_000_000)],
    ['arrays after a long text', `["${'x'.repeat(1_000_000)}",${arrays(100_000)}]`],
  ])('refuses %s, names the line, and keeps its process', async (_, value) => {
    await temporary.ingest.inferCsv(await temporary.stage('a\n1\n'));
    await expect(append(`${SHORT_LINES}{"x":${value}}\n${SHORT_LINES}`)).rejects.toMatchObject({
      code: 'invalid_ndjson',
      message: 'line 101: a value is nested more than 64 levels deep',
      details: { line: 101 },
    });
    expect(await append(SHORT_LINES)).toBe(100);
  });

  it('refuses deep values of columns that the table does not have, and deep lines that are no objects', async () => {
    await expect(append(`{"y":${objects(100_000)}}\n`)).rejects.toMatchObject({ details: { line: 1, column: 'y' } });
    await expect(append(`{"x":"a"}\n${arrays(100_000)}\n`)).rejects.toMatchObject({ details: { line: 2 } });
  });

  it('counts the lines of pieces before', async () => {
    const many = '{"x":"of many lines"}\n'.repeat(150_000);
    await expect(append(`${many}{"x":${objects(100_000)}}`)).rejects.toMatchObject({ details: { line: 150_001 } });
  });

  it('reports the first error of the text', async () => {
    const text = `{"x":"a"}\n{"x":5}\n{"x":${objects(100_000)}}\n`;
    await expect(append(text)).rejects.toMatchObject({ details: { line: 2, column: 'x' } });
  });

  it('takes any number of brackets in a text', async () => {
    expect(await append(`{"x":${JSON.stringify(objects(100_000))}}\n${SHORT_LINES}`)).toBe(101);
  });
});

describe('inferCsv: nested values', () => {
  it('takes any JSON in a cell as text', async () => {
    const json = objects(100_000);
    const part = await temporary.ingest.inferCsv(
      await temporary.stage(`x\n"${json.replaceAll('"', '""')}"\n${arrays(100_000)}\n`),
    );
    expect(part.columns).toEqual(COLUMNS);
    expect(await temporary.rows(part)).toEqual([[json], [arrays(100_000)]]);
  });
});
