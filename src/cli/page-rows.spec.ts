import { describe, expect, it } from '@jest/globals';
import { pageRows } from './page-rows.js';

/** Reads a page that comes in pieces of so many bytes. */
async function read(text: string, pieceBytes: number): Promise<{ rows: string[]; nextOffset: number | undefined }> {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
  }
  const page = pageRows(pieces());
  const rows: string[] = [];
  for (;;) {
    const { value, done } = await page.next();
    if (done) return { rows, nextOffset: value };
    rows.push(value.toString());
  }
}

describe('pageRows', () => {
  it.each([1, 2, 7, 1_000])('gives the rows as they are, in pieces of %i bytes', async (pieceBytes) => {
    const text = '{"next_offset":2,"result":{"metadata":{},"rows":[{"é":-0.0,"1":"\u2028"}\n,{"é":1.10,"1":"]}}"}\n]}}';
    expect(await read(text, pieceBytes)).toEqual({
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
