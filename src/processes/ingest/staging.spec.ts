import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { stageUploadBody } from './stage-upload-body.js';
import { discard, limitedChunks, stageBody, sweepStaging } from './staging.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'staging-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** A body that arrives in chunks of this size. */
function body(content: string, chunkBytes = 7): Readable {
  const bytes = Buffer.from(content);
  const count = Math.ceil(bytes.length / chunkBytes);
  return Readable.from(
    Array.from({ length: count }, (_, index) =>
      Buffer.from(bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
    ),
    { objectMode: false },
  );
}

async function stage(
  content: string,
  contentType?: string,
  query: Record<string, unknown> = {},
  chunkBytes?: number,
): Promise<unknown> {
  const stream = body(content, chunkBytes);
  const { fields, data } = await stageUploadBody({ stream, contentType, query }, folder, 80_000);
  return { fields, text: data && (await readFile(data.path, 'utf8')) };
}

const BOUNDARY = 'multipart/form-data; boundary=XX';

function form(...parts: readonly [disposition: string, content: string][]): string {
  const texts = parts.map(
    ([disposition, content]) => `--XX\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`,
  );
  return `${texts.join('')}--XX--\r\n`;
}

function manyFields(count: number): [disposition: string, content: string][] {
  return Array.from({ length: count }, (_, index) => [`name="field${index}"`, 'x']);
}

describe('stageBody', () => {
  it('writes a body into a file', async () => {
    const { path, sizeBytes } = await stageBody({ stream: body('a,b\n1,ä\n') }, folder, 9);
    expect(sizeBytes).toBe(9);
    await expect(readFile(path, 'utf8')).resolves.toBe('a,b\n1,ä\n');
    await discard({ path });
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  it('refuses a body beyond the limit, leaves no file, and passes over the rest of the stream', async () => {
    const stream = new PassThrough({ highWaterMark: 10 });
    stream.write('x'.repeat(100));
    await expect(stageBody({ stream }, folder, 99)).rejects.toMatchObject({
      kind: 'too_large',
      code: 'body_too_large',
    });
    await expect(readdir(folder)).resolves.toEqual([]);
    expect(stream.destroyed).toBe(false);
    stream.write('x'.repeat(100));
    stream.end();
    await finished(stream);
  });

  it('leaves no file when the connection ends early', async () => {
    const stream = new PassThrough();
    const staging = stageBody({ stream }, folder, 100);
    stream.write('a,b\n1,');
    stream.destroy(new Error('aborted'));
    await expect(staging).rejects.toMatchObject({ kind: 'invalid', code: 'upload_interrupted' });
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  it('fails as the disk does, and leaves no file', async () => {
    await expect(stageBody({ stream: body('abc') }, join(folder, 'missing'), 100)).rejects.toMatchObject({
      code: 'ENOENT',
    });
    await expect(readdir(folder)).resolves.toEqual([]);
  });
});

describe('stageUploadBody', () => {
  it.each([undefined, 'application/json', 'text/plain; charset=utf-8'])(
    'reads JSON when the type is %s',
    async (type) => {
      const fields = { table_name: 't', is_private: false };
      await expect(stage(JSON.stringify({ ...fields, data: 'a\n"ä"' }), type)).resolves.toEqual({
        fields,
        text: 'a\n"ä"',
      });
    },
  );

  it('keeps no file of a JSON body without data', async () => {
    await expect(stage('{"table_name":"t"}')).resolves.toEqual({ fields: { table_name: 't' }, text: undefined });
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  it('reads text/csv, with the fields in the query string', async () => {
    const query = { table_name: 't', is_private: 'true' };
    await expect(stage('a\n1\n', 'Text/CSV; header=present', query)).resolves.toEqual({
      fields: query,
      text: 'a\n1\n',
    });
  });

  it.each([
    ['a file', 'name="data"; filename="x.csv"'],
    ['text', 'name="data"'],
  ])('reads a form that has data as %s', async (_, disposition) => {
    const content = form(['name="table_name"', 't'], [disposition, 'a,b\r\n1,ä\r\n'], ['name="description"', 'ä']);
    const expected = { fields: { table_name: 't', description: 'ä' }, text: 'a,b\r\n1,ä\r\n' };
    await expect(stage(content, BOUNDARY)).resolves.toEqual(expected);
  });

  it('reads a form without data', async () => {
    await expect(stage(form(['name="table_name"', 't']), BOUNDARY)).resolves.toEqual({ fields: { table_name: 't' } });
  });

  it.each([
    ['JSON', '{"table_name":"t","data":"a\\n1', undefined],
    ['a form that ends early', form(['name="data"', 'a\n1']).slice(0, -20), BOUNDARY],
    ['a form cut within a field', form(['name="data"', 'a\n1'], ['name="x"', 'abc']).slice(0, -12), BOUNDARY],
    ['a form without a boundary', form(['name="data"', 'a\n1']), 'multipart/form-data'],
    ['a form of another boundary', form(['name="data"', 'a\n1']), 'multipart/form-data; boundary=YY'],
    ['a form with data twice', form(['name="data"', 'a\n1'], ['name="data"', 'a\n2']), BOUNDARY],
    ['a form with a field twice', form(['name="x"', 'a'], ['name="data"', 'a\n2'], ['name="x"', 'b']), BOUNDARY],
    [
      'a form with a field that is not small',
      form(['name="data"', 'a\n2'], ['name="x"', 'b'.repeat(70_000)]),
      BOUNDARY,
    ],
    ['a form with too many fields', form(['name="data"', 'a\n1'], ...manyFields(17)), BOUNDARY],
  ])('refuses %s and leaves no file, whether it comes in small pieces or in one', async (_, content, type) => {
    for (const chunkBytes of [7, content.length])
      await expect(stage(content, type, {}, chunkBytes)).rejects.toMatchObject({
        kind: 'invalid',
        code: 'unreadable_body',
      });
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  it('reads a form with fields as long as they may be', async () => {
    const description = '😀'.repeat(10_000);
    await expect(stage(form(['name="description"', description], ['name="data"', 'a']), BOUNDARY)).resolves.toEqual({
      fields: { description },
      text: 'a',
    });
  });

  it.each([
    ['JSON', JSON.stringify({ data: 'x'.repeat(90_000) }), undefined],
    ['CSV', 'x'.repeat(90_000), 'text/csv'],
    ['a form', form(['name="data"', 'x'.repeat(90_000)]), BOUNDARY],
  ])('refuses %s beyond the limit and leaves no file', async (_, content, type) => {
    await expect(stage(content, type)).rejects.toMatchObject({ kind: 'too_large' });
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  it.each([
    ['JSON', '{"data":"a\\n1', undefined],
    ['CSV', 'a\n1', 'text/csv'],
    ['a form', form(['name="data"', 'a\n1']).slice(0, -10), BOUNDARY],
  ])('leaves no file when the connection ends within %s', async (_, content, contentType) => {
    const stream = new PassThrough();
    const staging = stageUploadBody({ stream, contentType, query: {} }, folder, 100_000);
    stream.write(content);
    stream.destroy(new Error('aborted'));
    await expect(staging).rejects.toMatchObject({ code: 'upload_interrupted' });
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  it('leaves no file when the connection ends while the file of a form is being opened', async () => {
    const stream = new PassThrough();
    const staging = stageUploadBody({ stream, contentType: BOUNDARY, query: {} }, folder, 100_000);
    stream.write(form(['name="data"', 'a\n1']).slice(0, -10));
    setImmediate(() => stream.destroy(new Error('aborted')));
    await expect(staging).rejects.toMatchObject({ code: 'upload_interrupted' });
    await expect(readdir(folder)).resolves.toEqual([]);
  });
});

describe('limitedChunks', () => {
  it('lets others have their turn of the event loop while there is always more of a body', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    for await (const _ of limitedChunks(body('x'.repeat(20_000), 1), 80_000)) work(0.01);
    isOver = true;
    expect(turns).toBeGreaterThan(10);
  });

  /** Keeps the thread busy. */
  function work(milliseconds: number): void {
    const begunAt = performance.now();
    while (performance.now() - begunAt < milliseconds);
  }
});

describe('sweepStaging', () => {
  it('leaves an empty folder', async () => {
    await writeFile(join(folder, 'left-over.upload'), 'x');
    await sweepStaging(folder);
    await expect(readdir(folder)).resolves.toEqual([]);
  });

  it('makes the folder', async () => {
    await sweepStaging(join(folder, 'a', 'b'));
    await expect(readdir(join(folder, 'a', 'b'))).resolves.toEqual([]);
  });
});
