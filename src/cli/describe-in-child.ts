import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config/config.js';
import { ingestOf } from '../processes/ingest/open-ingest.js';
import type { LinkedFiles } from '../storage/linked/linked-files.js';
import type { LinkOptions } from '../storage/linked/linked-text.js';
import type { LinkedContent } from '../uploads/linked-tables.service.js';

/** The longest that a timer can wait: all values are read, and the operator can end the command. */
const LINK_TIMEOUT_MS = 2 ** 31 - 1;

/** Finds what files hold, in a process of its own: this one never loads the engine. */
export async function describeInChild(
  files: LinkedFiles,
  options: LinkOptions,
  config: Config,
): Promise<LinkedContent> {
  const folder = await mkdtemp(join(tmpdir(), 'eider-link-'));
  const ingest = ingestOf({ ...config, UPLOADERS: 1, UPLOAD_TIMEOUT: LINK_TIMEOUT_MS }, folder);
  try {
    return await ingest.describeFiles(files, options);
  } finally {
    await ingest.close();
    await rm(folder, { recursive: true, force: true });
  }
}
