import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemporaryIngest } from '../../../test/support/temporary-ingest.js';
import { toTableColumn } from '../../types/column-types.js';
import type { IngestedPart } from './staged-file.js';

const COLUMNS = [toTableColumn('x', 'double', true), toTableColumn('t', 'varchar', true)];
const NUMBERS = ['0', '-0', '0', '1.5', '-0.0', '0', '-0.50', '-0'];
const PRINTED = ['0.0', '-0.0', '0.0', '1.5', '-0.0', '0.0', '-0.5', '-0.0'];
const CSV = `x,t\n${NUMBERS.map((number) => `${number},a\n`).join('')}`;

let temporary: TemporaryIngest;

beforeAll(async () => {
  temporary = await TemporaryIngest.open();
});

afterAll(() => temporary.close());

async function numbersOf(part: IngestedPart): Promise<unknown[]> {
  return (await temporary.rows(part)).map(([number]) => number);
}

/** The engine's dictionaries have one entry for 0 and -0. */
describe('-0 in a column of doubles that also holds 0', () => {
  it('is kept by an upload of CSV', async () => {
    const part = await temporary.ingest.inferCsv(await temporary.stage(CSV));
    await expect(numbersOf(part)).resolves.toEqual(PRINTED);
  });

  it('is kept by an insert of CSV', async () => {
    const part = await temporary.ingest.appendCsv(await temporary.stage(CSV), COLUMNS);
    await expect(numbersOf(part)).resolves.toEqual(PRINTED);
  });

  it.each([
    // The engine reads a bare -0 as the integer 0.
    ['as numbers', NUMBERS.map((number) => number.replace(/^-0$/, '-0.0'))],
    ['as strings', NUMBERS.map((number) => `"${number}"`)],
  ])('is kept by an insert of NDJSON, %s', async (_, numbers) => {
    const lines = numbers.map((number) => `{"x":${number},"t":"a"}\n`).join('');
    const part = await temporary.ingest.appendNdjson(await temporary.stage(lines), COLUMNS);
    await expect(numbersOf(part)).resolves.toEqual(PRINTED);
  });

  it('is kept when parts are merged', async () => {
    const parts = await Promise.all(
      ['0', '-0'].map(async (number) => temporary.ingest.appendCsv(await temporary.stage(`x\n${number}\n`), COLUMNS)),
    );
    const merged = await temporary.ingest.merge(
      parts.map(({ path }) => path),
      COLUMNS,
    );
    await expect(numbersOf(merged)).resolves.toEqual(['0.0', '-0.0']);
  });
});
