import { deepStrictEqual } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { stageMultipart } from '../../../src/processes/ingest/stage-multipart.js';
import { discard } from '../../../src/processes/ingest/staging.js';
import type { FuzzTarget } from '../fuzz.js';
import { cut } from '../mutate.js';
import { toRefusal } from '../refusal.js';

const CONTENT_TYPE = 'multipart/form-data; boundary=XX';

const part = (disposition: string, body: string, more = '') =>
  `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${body}\r\n`;

async function* chunksOf(chunks: readonly Buffer[]): AsyncGenerator<Buffer, void, undefined> {
  yield* chunks;
}

/** What is made of a form in these chunks: fields and the staged text, or the code of the error. */
async function stage(chunks: readonly Buffer[], folder: string): Promise<unknown> {
  try {
    const { fields, data } = await stageMultipart(chunksOf(chunks), CONTENT_TYPE, folder);
    const text = data && (await readFile(data.path, 'latin1'));
    if (data) await discard(data);
    return { fields, text };
  } catch (error) {
    return toRefusal(error).code;
  }
}

function isEmptyForm(staged: unknown): boolean {
  const { fields = {}, text } = staged as { fields?: object; text?: string };
  return typeof staged === 'object' && text === undefined && Object.keys(fields).length === 0;
}

/** A multipart body: the same in any chunks, and nothing stays in the staging folder. */
export function multipartTarget(folder: string, leftovers: () => Promise<string[]>): FuzzTarget {
  return {
    name: 'multipart',
    runs: 300,
    seeds: [
      `${part('name="table_name"', 't')}${part('name="data"; filename="a.csv"', 'a,b\r\n1,2')}--XX--\r\n`,
      `preamble\r\n${part('name="data"', 'a\n1', 'Content-Type: text/csv\r\n')}${part('name="is_private"', 'true')}--XX--`,
      `${part("name*=utf-8''data", 'x')}--XX--`,
    ],
    words: [
      '--XX',
      '--XX--',
      '\r\n',
      '\r\n\r\n',
      'name="data"',
      'filename*=',
      'Content-Transfer-Encoding: base64',
      '"',
      ';',
    ],
    async check(input, random) {
      const before = await leftovers();
      const whole = await stage([input], folder);
      const inChunks = await stage(cut(input, random), folder);
      // The library reads some bodies that are no form as one without parts, or not at all, by how
      // they are cut.
      if (![whole, inChunks].some(isEmptyForm)) deepStrictEqual(inChunks, whole);
      deepStrictEqual((await leftovers()).join(), before.join());
      return typeof whole === 'string' ? whole : Object.keys(whole as object).join();
    },
  };
}
