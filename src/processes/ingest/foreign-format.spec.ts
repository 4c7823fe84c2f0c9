import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { findForeignFormat } from './foreign-format.js';

const CSV = 'city,price\nParis,5.5\n';
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

describe('findForeignFormat', () => {
  it.each<[string, string, Buffer]>([
    ['gzip data', 'itself', gzipSync(CSV)],
    ['gzip data', 'as text', Buffer.from(gzipSync(CSV).toString('utf8'))],
    ['gzip data', 'as latin1', Buffer.from(gzipSync(CSV).toString('latin1'))],
    ['a Parquet file', 'itself', Buffer.from('PAR1\x15\x04', 'latin1')],
    ['a zip archive, as Excel files (.xlsx) are', 'itself', Buffer.from('PK\x03\x04\x14\0', 'latin1')],
    ['an Excel file (.xls)', 'itself', OLE],
    ['an Excel file (.xls)', 'as text', Buffer.from(OLE.toString('utf8'))],
    ['data compressed with zstd', 'itself', Buffer.from('28b52ffd', 'hex')],
    ['data compressed with bzip2', 'itself', Buffer.from('BZh91AY&SY')],
    ['data compressed with xz', 'itself', Buffer.from('\xfd7zXZ\0', 'latin1')],
    ['text in UTF-16', 'with a mark', Buffer.from(`\ufeff${CSV}`, 'utf16le')],
    ['text in UTF-16', 'with a mark, big-endian', Buffer.from(`\ufeff${CSV}`, 'utf16le').swap16()],
    ['text in UTF-16', 'without a mark', Buffer.from(CSV, 'utf16le')],
    ['text in UTF-16', 'without a mark, big-endian', Buffer.from(CSV, 'utf16le').swap16()],
    ['text in UTF-16', 'as text', Buffer.from(Buffer.from(`\ufeff${CSV}`, 'utf16le').toString('utf8'))],
    ['text in UTF-16', 'of JSON', Buffer.from('{"a":1}', 'utf16le')],
    ['text in UTF-32', 'with a mark', Buffer.from('fffe00006100000062000000', 'hex')],
  ])('recognizes %s: %s', (name, _, bytes) => {
    expect(findForeignFormat(bytes)?.name).toBe(name);
  });

  it.each([
    ['nothing', ''],
    ['CSV', CSV],
    ['CSV with a byte order mark', `\ufeff${CSV}`],
    ['a column PAR1', 'PAR1,PAR2\n1,2\n'],
    ['a column PAR1 alone', 'PAR1\n1\n'],
    ['a column PK', 'PK\n1\n'],
    ['a column BZh9', 'BZh9,a\n'],
    ['letters of other scripts', 'þÿ,ÐÏà,ýz\n'],
    ['a NUL byte', 'a,b\0\n1,2\n'],
  ])('takes %s for text', (_, text) => {
    expect(findForeignFormat(Buffer.from(text))).toBeUndefined();
  });
});
