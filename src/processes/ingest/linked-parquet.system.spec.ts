import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TemporaryIngest } from '../../../test/support/temporary-ingest.js';
import { findLinkedFiles } from '../../storage/linked/linked-files.js';

let temporary: TemporaryIngest;
let sound: Buffer;

beforeAll(async () => {
  temporary = await TemporaryIngest.open();
  await mkdir(join(temporary.folder, 'linked'));
  const rows = Array.from({ length: 30_000 }, (_, n) => `${n},text ${(n * 7919) % 10_007},${n / 8}`);
  const part = await temporary.ingest.inferCsv(await temporary.stage(`n,text,d\n${rows.join('\n')}\n`));
  sound = await readFile(part.path);
});

afterAll(() => temporary.close());

async function describeFile(name: string, content: Buffer) {
  const path = join(temporary.folder, 'linked', name);
  await writeFile(path, content);
  const found = await findLinkedFiles(path, { roots: [join(temporary.folder, 'linked')], dataFolders: [] });
  return temporary.describeFiles(found);
}

function changed(change: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(sound);
  change(bytes);
  return bytes;
}

/** Where the footer names the codec of each chunk of a column: after its path in the schema. */
function codecsOf(bytes: Buffer, column: string): number[] {
  const before = Buffer.concat([Buffer.from([0x19, 0x18, column.length]), Buffer.from(column), Buffer.from([0x15])]);
  const places: number[] = [];
  const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  for (let at = bytes.indexOf(before, footer); at >= 0; at = bytes.indexOf(before, at + 1))
    places.push(at + before.length);
  return places;
}

/** LZO, as the compact protocol writes the number of a codec. */
const LZO = 6;

describe('a Parquet file that is to be linked', () => {
  it('is read whole', async () => {
    await expect(describeFile('sound.parquet', sound)).resolves.toMatchObject({ rowCount: 30_000 });
  });

  it.each([
    [
      'cut.parquet',
      (bytes: Buffer) => bytes.subarray(0, bytes.length / 2),
      'it is no Parquet file, or its end is missing',
    ],
    ['empty.parquet', () => Buffer.alloc(0), 'it is no Parquet file, or its end is missing'],
    ['text.parquet', () => Buffer.from('a,b\n1,2\n'.repeat(9)), 'it is no Parquet file, or its end is missing'],
    [
      'footer.parquet',
      () => changed((bytes) => bytes.fill(0xff, bytes.length - 300, bytes.length - 100)),
      'its metadata is damaged',
    ],
    ['page.parquet', () => changed((bytes) => bytes.fill(0xff, 1_000, 1_200)), 'Snappy decompression failure'],
    [
      'codec.parquet',
      () =>
        changed((bytes) => {
          const codecs = codecsOf(bytes, 'text');
          expect(codecs).not.toEqual([]);
          for (const at of codecs) bytes[at] = LZO;
        }),
      'Unsupported compression codec "LZO"',
    ],
  ])('is refused by its name where no query could read it: %s', async (name, damage, reason) => {
    await expect(describeFile(name, damage(sound))).rejects.toMatchObject({
      code: 'unreadable_files',
      message: `The file ${name} cannot be read: ${reason}`,
      details: { file: name },
    });
  });
});
