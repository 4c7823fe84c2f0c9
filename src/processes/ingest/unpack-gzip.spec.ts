import { randomBytes } from 'node:crypto';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { InvalidGzipError } from './ingest.errors.js';
import { unpackGzip } from './unpack-gzip.js';

async function unpack(...chunks: readonly Uint8Array[]): Promise<string> {
  async function* packed() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const texts: Buffer[] = [];
  for await (const chunk of unpackGzip(packed())) texts.push(chunk);
  return Buffer.concat(texts).toString();
}

const TEXT = 'a,b\n1,ä\n';
const PACKED = gzipSync(TEXT);

describe('unpackGzip', () => {
  it('unpacks data wherever its chunks are cut', async () => {
    for (let at = 0; at <= PACKED.length; at++)
      expect(await unpack(PACKED.subarray(0, at), PACKED.subarray(at))).toBe(TEXT);
    expect(await unpack(...Array.from(PACKED, (byte) => Buffer.of(byte)))).toBe(TEXT);
  });

  it('unpacks several members as one text, wherever the chunks are cut', async () => {
    const both = Buffer.concat([gzipSync('a\n'), gzipSync(''), gzipSync('1\n')]);
    for (let at = 0; at <= both.length; at++)
      expect(await unpack(both.subarray(0, at), both.subarray(at))).toBe('a\n1\n');
  });

  it('refuses no data at all', async () => {
    await expect(unpack()).rejects.toMatchObject({ code: 'invalid_gzip' });
  });

  it('passes over zeros at the end, as tapes have them', async () => {
    expect(await unpack(PACKED, ...Array.from({ length: 50 }, () => new Uint8Array(65_536)))).toBe(TEXT);
  });

  it('refuses data that ends early, wherever that is', async () => {
    for (let length = 1; length < PACKED.length; length++)
      await expect(unpack(PACKED.subarray(0, length))).rejects.toMatchObject({
        code: 'invalid_gzip',
        message: 'The body is gzip data that ends early: send all of it',
      });
    const members = Buffer.concat([PACKED, PACKED.subarray(0, 5)]);
    await expect(unpack(members)).rejects.toBeInstanceOf(InvalidGzipError);
    await expect(unpack(members.subarray(0, PACKED.length), members.subarray(PACKED.length))).rejects.toBeInstanceOf(
      InvalidGzipError,
    );
  });

  it.each([
    ['a wrong checksum', Buffer.from(PACKED).fill(0xaa, PACKED.length - 8, PACKED.length - 4)],
    ['a wrong length', Buffer.from(PACKED).fill(0xaa, PACKED.length - 4)],
    ['a wrong block', Buffer.from(PACKED).fill(0xff, 10, 14)],
    ['something else after it', Buffer.concat([PACKED, Buffer.from('more')])],
  ])('refuses data with %s', async (_, bytes) => {
    await expect(unpack(bytes)).rejects.toMatchObject({ message: 'The body is damaged gzip data: compress it again' });
  });

  it('refuses what is no gzip data', async () => {
    await expect(unpack(Buffer.from(TEXT))).rejects.toMatchObject({
      message: 'The body is not gzip data, as its Content-Encoding states: compress it, or leave the header out',
    });
  });

  it('fails as its source does', async () => {
    async function* broken() {
      yield PACKED.subarray(0, 12);
      throw new Error('broken off');
    }
    await expect(async () => {
      for await (const _ of unpackGzip(broken()));
    }).rejects.toThrow('broken off');
  });

  it('ends its source when it is left, and takes no more of it than is needed', async () => {
    const gzip = createGzip();
    gzip.end(randomBytes(2 ** 20));
    const chunks = (await gzip.toArray()) as Buffer[];
    let taken = 0;
    let isEnded = false;
    async function* packed() {
      try {
        for (let round = 0; round < 1_000; round++)
          for (const chunk of chunks) {
            taken += chunk.length;
            yield chunk;
          }
      } finally {
        isEnded = true;
      }
    }
    for await (const _ of unpackGzip(packed())) break;
    expect(isEnded).toBe(true);
    expect(taken).toBeLessThan(2 ** 20);
  });
});
