import { describe, expect, it } from '@jest/globals';
import { pageRows } from './page-rows.js';

/** Reads a page that comes in chunks of so many bytes. */
async function read(text: string, chunkBytes: number): Promise<{ rows: string[]; nextOffset: number | undefined }> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let from = 0; from < bytes.length; from += chunkBytes) yield bytes.subarray(from, from + chunkBytes);
  }
  const page = pageRows(chunks());
  const rows: string[] = [];
  for (;;) {
    const { value, done } = await page.next();
    if (done) return { rows, nextOffset: value };
    rows.push(value.toString());
  }
}

describe('pageRows', () => {
  it.each([1, 2, 7, 1_000])('gives the rows as they are, in chunks of %i bytes', async (chunkBytes) => {
    const text = '{"next_offset":2,"result":{"metadata":{},"rows":[{"é":-0.0,"1":"\u2028"}\n,{"é":1.10,"1":"]}}"}\n]}}';
    expect(await read(text, chunkBytes)).toEqual({
      rows: ['{"é":-0.0,"1":"\u2028"}', '{"é":1.10,"1":"]}}"}'],
      nextOffset: 2,
    });
  });

  it('fails on a page that ends too early', async () => {
    const cut = read('{"result":{"metadata":{},"rows":[{"n":1}\n,{"n":2}\n', 1_000);
    await expect(cut).rejects.toThrow('The rows of a page ended too early');
  });

  it('gives none of a page without rows', async () => {
    expect(await read('{"result":{"metadata":{},"rows":[]}}', 1_000)).toEqual({ rows: [], nextOffset: undefined });
  });
});
