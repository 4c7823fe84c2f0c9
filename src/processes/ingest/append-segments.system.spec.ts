import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemporaryIngest } from '../../../test/support/temporary-ingest.js';
import { toTableColumn } from '../../types/column-types.js';
import { discard } from './staging.js';

const COLUMNS = [toTableColumn('n', 'bigint', true), toTableColumn('text', 'varchar', true)];
const SEGMENT_BYTES = 1_000;
const ROWS = 500;

const line = (n: number) => `{"n":${n},"text":"row ${n}"}\n`;
const lines = (count: number) => Array.from({ length: count }, (_, n) => line(n));

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 77) yield bytes.subarray(at, at + 77);
}

describe('a text of rows that is read while it arrives', () => {
  let temporary: TemporaryIngest;

  beforeAll(async () => {
    temporary = await TemporaryIngest.open({}, SEGMENT_BYTES);
  });
  afterAll(() => temporary.close());

  const append = (chunks: AsyncIterable<Buffer>, signal?: AbortSignal) =>
    temporary.ingest.appendArrivingNdjson(chunks, COLUMNS, signal);

  it('becomes several parts, with its rows in their order, and leaves nothing else', async () => {
    const before = await temporary.leftovers();
    const parts = await append(chunksOf(lines(ROWS).join('')));
    expect(parts.length).toBeGreaterThan(5);
    const rows = await Promise.all(parts.map((part) => temporary.rows(part)));
    expect(rows.flat()).toEqual(Array.from({ length: ROWS }, (_, n) => [String(n), `row ${n}`]));
    expect(parts.map(({ rowCount }) => rowCount)).toEqual(rows.map(({ length }) => length));
    const added = (await temporary.leftovers()).filter((name) => !before.includes(name));
    expect(added.sort()).toEqual(parts.map(({ path }) => basename(path)).sort());
  });

  it('is no part where it has no rows', async () => {
    await expect(append(chunksOf(''))).resolves.toEqual([]);
    await expect(append(chunksOf('\n'.repeat(5_000)))).resolves.toEqual([]);
  });

  it('may have a line that is longer than what is read in one go', async () => {
    const long = 'x'.repeat(5 * SEGMENT_BYTES);
    const parts = await append(chunksOf(`${line(1)}{"n":2,"text":"${long}"}\n${line(3)}`));
    const rows = await Promise.all(parts.map((part) => temporary.rows(part)));
    expect(rows.flat()).toEqual([
      ['1', 'row 1'],
      ['2', long],
      ['3', 'row 3'],
    ]);
  });

  it('is refused by the place of an error in the whole of it, and leaves nothing', async () => {
    const before = await temporary.leftovers();
    const text = lines(ROWS);
    text[400] = '\n{"n":"many","text":""}\n';
    await expect(append(chunksOf(text.join('')))).rejects.toMatchObject({
      code: 'invalid_row',
      message: `row 401 (line 402): column n takes a whole number from -9223372036854775808 to 9223372036854775807, not '"many"'`,
      details: { line: 402, row: 401 },
    });
    text[400] = '{"n":1\n';
    await expect(append(chunksOf(text.join('')))).rejects.toMatchObject({
      code: 'invalid_ndjson',
      details: { line: 401 },
    });
    await expect(temporary.leftovers()).resolves.toEqual(before);
  });

  it('is refused by its first error, whichever segment has it', async () => {
    const text = lines(ROWS);
    text[60] = '{"n":"second error"}\n';
    text[40] = '{"n":"first error"}\n';
    await expect(append(chunksOf(text.join('')))).rejects.toMatchObject({ details: { row: 41 } });
    text[40] = line(40);
    await expect(append(chunksOf(text.join('')))).rejects.toMatchObject({ details: { row: 61 } });
  });

  it('waits for the reading when it comes quicker than it can be read', async () => {
    let mostStaged = 0;
    async function* quick(): AsyncGenerator<Buffer> {
      for await (const chunk of chunksOf(lines(5 * ROWS).join(''))) {
        const staged = (await temporary.leftovers()).filter((name) => name.endsWith('.upload'));
        mostStaged = Math.max(mostStaged, staged.length);
        yield chunk;
      }
    }
    const parts = await append(quick());
    expect(parts.length).toBeGreaterThan(30);
    // The one that is read, and the one under way.
    expect(mostStaged).toBeLessThanOrEqual(2);
    await Promise.all(parts.map(discard));
  });

  it('is taken no further once a row is refused', async () => {
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.from('{"n":"many"}\n'.repeat(100));
    }
    await expect(append(endless())).rejects.toMatchObject({ code: 'invalid_row', details: { line: 1, row: 1 } });
  });

  it('is refused while its next chunk is still waited for', async () => {
    const before = await temporary.leftovers();
    async function* stalled(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"n":"many"}\n'.repeat(100));
      await new Promise(() => {});
    }
    await expect(append(stalled())).rejects.toMatchObject({ code: 'invalid_row', details: { line: 1, row: 1 } });
    await expect(temporary.leftovers()).resolves.toEqual(before);
  });

  it('leaves nothing when it breaks off', async () => {
    const before = await temporary.leftovers();
    async function* broken(): AsyncGenerator<Buffer> {
      yield* chunksOf(lines(ROWS).join(''));
      throw new Error('broken off');
    }
    await expect(append(broken())).rejects.toThrow('broken off');
    await expect(temporary.leftovers()).resolves.toEqual(before);
  });

  it('leaves nothing when nobody waits for it any more', async () => {
    const before = await temporary.leftovers();
    const controller = new AbortController();
    async function* left(): AsyncGenerator<Buffer> {
      yield* chunksOf(lines(ROWS).join(''));
      controller.abort(new Error('gone'));
      yield Buffer.from(line(ROWS));
    }
    await expect(append(left(), controller.signal)).rejects.toThrow('gone');
    await expect(temporary.leftovers()).resolves.toEqual(before);
  });

  it('holds no process while it waits for more', async () => {
    const { promise: others, resolve: othersDone } = Promise.withResolvers<void>();
    async function* slow(): AsyncGenerator<Buffer> {
      yield* chunksOf(lines(ROWS).join(''));
      await others;
    }
    const parts = append(slow());
    const other = await temporary.ingest.appendNdjson(await temporary.stage(line(1)), COLUMNS);
    expect(other.rowCount).toBe(1);
    othersDone();
    expect((await parts).length).toBeGreaterThan(5);
  });
});
