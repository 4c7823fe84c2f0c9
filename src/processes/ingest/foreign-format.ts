import { CARRIAGE_RETURN, LINE_FEED, SPACE, TAB } from './ascii.js';

/** A format that is not UTF-8 text. */
export interface ForeignFormat {
  /** For a message: "is …". */
  readonly name: string;
  /** What the sender can do. */
  readonly advice: string;
  readonly isGzip?: boolean;
}

/** As many bytes as are needed to recognize a format. */
export const FORMAT_HEAD_BYTES = 64;

const GZIP: ForeignFormat = { name: 'gzip data', advice: 'send it with Content-Encoding: gzip', isGzip: true };
const PARQUET: ForeignFormat = { name: 'a Parquet file', advice: 'convert it to CSV' };
const ZIP: ForeignFormat = {
  name: 'a zip archive, as Excel files (.xlsx) are',
  advice: 'save the sheet as CSV in UTF-8, or unpack the archive',
};
const XLS: ForeignFormat = { name: 'an Excel file (.xls)', advice: 'save the sheet as CSV in UTF-8' };
const UTF_16: ForeignFormat = { name: 'text in UTF-16', advice: 'save it in UTF-8' };
const UTF_32: ForeignFormat = { name: 'text in UTF-32', advice: 'save it in UTF-8' };

/** Data compressed by a program that the service does not support. */
function packed(program: string): ForeignFormat {
  return { name: `data compressed with ${program}`, advice: 'decompress it, or use gzip' };
}

/** First bytes of files, in hexadecimal. */
const SIGNATURES: readonly [string, ForeignFormat][] = [
  ['1f8b08', GZIP],
  ['504b0304', ZIP],
  ['504b0506', ZIP],
  ['d0cf11e0a1b11ae1', XLS],
  ['28b52ffd', packed('zstd')],
  // BZh91AY&SY: the 9 is the default level of compression.
  ['425a6839314159265359', packed('bzip2')],
  ['fd377a585a00', packed('xz')],
];

/**
 * The bytes of {@link SIGNATURES}, and what they become when a client decodes a file as Latin-1 or
 * UTF-8 to send it as a JSON string.
 */
const SIGNATURE_BYTES = SIGNATURES.flatMap(([hex, format]) => {
  const bytes = Buffer.from(hex, 'hex');
  const texts = [bytes.toString('latin1'), bytes.toString('utf8')];
  return [bytes, ...texts.map((text) => Buffer.from(text))].map((start) => ({ start, format }));
});

/** Byte order marks, in hexadecimal. The mark of UTF-32 begins with that of UTF-16. */
const MARKS: readonly [string, ForeignFormat][] = [
  ['fffe0000', UTF_32],
  ['0000feff', UTF_32],
  ['fffe', UTF_16],
  ['feff', UTF_16],
];
const MARK_BYTES = MARKS.map(([hex, format]) => ({ start: Buffer.from(hex, 'hex'), format }));

const PARQUET_START = Buffer.from('PAR1');

/** Fewer NUL bytes can be stray ones. */
const MIN_NULS = 3;

/** Recognizes a format by the first bytes of the data; nothing if they may be UTF-8 text. */
export function findForeignFormat(head: Buffer): ForeignFormat | undefined {
  const found = [...SIGNATURE_BYTES, ...MARK_BYTES].find(({ start }) => startsWith(head, start));
  if (found) return found.format;
  if (isParquet(head)) return PARQUET;
  return isUtf16(head.subarray(0, FORMAT_HEAD_BYTES)) ? UTF_16 : undefined;
}

function startsWith(head: Buffer, start: Buffer): boolean {
  return head.subarray(0, start.length).equals(start);
}

/** A column can have the name PAR1; in a Parquet file, a control character follows. */
function isParquet(head: Buffer): boolean {
  const next = head[PARQUET_START.length];
  if (next === undefined || !startsWith(head, PARQUET_START)) return false;
  const isText = next >= SPACE || next === TAB || next === LINE_FEED || next === CARRIAGE_RETURN;
  return !isText;
}

/** Whether many byte pairs have a NUL at the same position, as ASCII text in UTF-16 has. */
function isUtf16(head: Buffer): boolean {
  const nuls = [0, 0] as [number, number];
  head.forEach((byte, index) => {
    if (byte === 0) nuls[(index % 2) as 0 | 1]++;
  });
  const [fewer, more] = nuls.toSorted((a, b) => a - b) as [number, number];
  return fewer === 0 && more >= MIN_NULS && more >= head.length / 4;
}
