import { open } from 'node:fs/promises';
import type { WrittenResult } from './run-messages.js';

const MAGIC = 'PAR1';

/** A result file is not what the run child reported. */
export class BrokenResultFileError extends Error {
  constructor() {
    super('The result file is not whole');
  }
}

/**
 * Makes sure that a result file is whole. That it is on the disk is for the store that takes it over.
 *
 * @throws BrokenResultFileError
 */
export async function checkResultFile(path: string, { fileBytes }: WrittenResult): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, Math.max(0, size - MAGIC.length));
    if (size !== fileBytes || buffer.toString('latin1') !== MAGIC) throw new BrokenResultFileError();
  } finally {
    await file.close();
  }
}
