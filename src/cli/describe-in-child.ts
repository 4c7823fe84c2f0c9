import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import type { LinkedFiles } from '../uploads/linked-files.js';
import { ingestOf } from '../uploads/open-ingest.js';
import type { TableColumn } from '../uploads/table-column.js';

/** Finds the columns of files, in a process started for the occasion: this one never loads the engine. */
export async function describeInChild(files: LinkedFiles, config: Config): Promise<readonly TableColumn[]> {
  const folder = await mkdtemp(join(tmpdir(), 'eider-link-'));
  const ingest = ingestOf({ ...config, UPLOADERS: 1 }, folder);
  try {
    await ingest.open();
    return (await ingest.describeFiles(files)).columns;
  } finally {
    await ingest.close();
    await rm(folder, { recursive: true, force: true });
  }
}
