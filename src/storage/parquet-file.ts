import { open } from 'node:fs/promises';

/** What a Parquet file begins and ends with. */
const MAGIC = Buffer.from('PAR1');

/**
 * Finds what is wrong with a file that the service has written, as the end of a sentence about it.
 * Reads its two ends only.
 */
export async function findFileIssue(path: string, sizeBytes: number): Promise<string | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      if (size !== sizeBytes) return `has ${size} bytes instead of ${sizeBytes}`;
      if (size < 2 * MAGIC.length) return 'is no Parquet file';
      const ends = [0, size - MAGIC.length].map((start) =>
        file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, start),
      );
      const isParquet = (await Promise.all(ends)).every(({ buffer }) => buffer.equals(MAGIC));
      return isParquet ? undefined : 'is no Parquet file';
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'is missing' : `cannot be read (${code})`;
  }
}
