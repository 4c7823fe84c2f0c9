import { resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { childBudgetBytes } from '../../config/memory-budget.js';
import { Ingest } from './ingest.js';

/** Where uploads are staged: on the disk of the tables, so that a finished part is only moved. */
export function stagingFolder({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string {
  return resolve(DATA_DIR, 'staging');
}

/** The ingest of a data folder; the caller opens and closes it. */
export function ingestOf(config: Config, folder = stagingFolder(config)): Ingest {
  return new Ingest({
    stagingFolder: folder,
    readableFolders: [resolve(config.DATA_DIR, 'tables'), ...config.LINK_ROOTS],
    processes: config.UPLOADERS,
    limits: {
      memoryBytes: config.UPLOADER_MEMORY,
      maxResidentBytes: childBudgetBytes('ingest', config.UPLOADER_MEMORY),
      threads: config.UPLOADER_THREADS,
      maxSpillBytes: config.MAX_SPILL_BYTES,
      timeoutMs: config.UPLOAD_TIMEOUT,
    },
  });
}
