import { resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { trustedBudgetBytes } from '../../config/memory-law.js';
import { Ingest } from './ingest.js';

/** Where uploads lie while they become tables: beside the store, so that a finished part only has to be moved. */
export function stagingFolder({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string {
  return resolve(DATA_DIR, 'staging');
}

/** The ingest of a data folder; whoever asks for it opens and closes it. */
export function ingestOf(config: Config, folder = stagingFolder(config)): Ingest {
  return new Ingest({
    stagingFolder: folder,
    readableFolders: [resolve(config.DATA_DIR, 'tables'), ...config.LINK_ROOTS],
    processes: config.UPLOADERS,
    limits: {
      memoryBytes: config.UPLOADER_MEMORY,
      maxResidentBytes: trustedBudgetBytes(config.UPLOADER_MEMORY),
      threads: config.UPLOADER_THREADS,
      maxSpillBytes: config.MAX_SPILL_BYTES,
      timeoutMs: config.UPLOAD_TIMEOUT,
    },
  });
}
