import { open } from 'node:fs/promises';
import { failpoint } from '../../config/failpoint.js';
import type { RunResult } from './run.js';

const MAGIC = 'PAR1';

/** A result file is not what the run child reported. */
export class BrokenResultFileError extends Error {
  constructor() {
    super('The result file is incomplete');
  }
}

/**
 * Checks that a result file is complete. The store that adopts it writes it to the disk.
 *
 * @throws BrokenResultFileError
 */
export async function checkResultFile(path: string, { fileBytes }: RunResult): Promise<void> {
  await failpoint('result-check');
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, Math.max(0, size - MAGIC.length));
    if (size !== fileBytes || buffer.toString('latin1') !== MAGIC) throw new BrokenResultFileError();
  } finally {
    await file.close();
  }
}
