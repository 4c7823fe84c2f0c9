import { open } from 'node:fs/promises';
import type { WrittenResult } from './run-messages.js';

const MAGIC = 'PAR1';

/**
 * Makes sure that a result file is whole and on the disk.
 *
 * @throws Error if the file is not what the run child said that it wrote.
 */
export async function sealResultFile(path: string, { fileBytes }: WrittenResult): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, Math.max(0, size - MAGIC.length));
    if (size !== fileBytes || buffer.toString('latin1') !== MAGIC) throw new Error('The result file is not whole');
    await file.sync();
  } finally {
    await file.close();
  }
}
