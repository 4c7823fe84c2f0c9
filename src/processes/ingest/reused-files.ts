import type { StagedFile } from './staged-file.js';
import { discard, restageChunks, stageChunks } from './staging.js';

/**
 * Files of the staging folder that are written again once they have been read. The kernel keeps the memory of a file as long as there is the
 * file, and memory that it has to ask for anew can cost more than what is done with it (`docs/performance.md`).
 */
export class ReusedFiles {
  readonly #free: StagedFile[] = [];

  constructor(private readonly folder: string) {}

  /** Writes chunks into a file that was given back, or into a new one. On any failure the file is deleted. */
  stage(chunks: AsyncIterable<Buffer>): Promise<StagedFile> {
    const file = this.#free.pop();
    return file ? restageChunks(chunks, file) : stageChunks(chunks, this.folder);
  }

  /** Takes a file that nobody needs any more. */
  giveBack(file: StagedFile): void {
    this.#free.push(file);
  }

  /** Deletes the files that were given back. */
  async discard(): Promise<void> {
    await Promise.all(this.#free.splice(0).map(discard));
  }
}
