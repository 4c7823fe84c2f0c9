import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failpoint } from '../config/failpoint.js';

function fileIn(dataDir: string): string {
  return join(dataDir, 'server.json');
}

/** Leaves word of where the service listens, for commands beside it. */
export async function publishServer(dataDir: string, url: string): Promise<void> {
  const [path, text] = [fileIn(dataDir), JSON.stringify({ url })];
  await failpoint('server-publish', { path, bytes: () => Buffer.from(text) });
  await writeFile(path, text);
}

/** Takes that word back. */
export async function forgetServer(dataDir: string): Promise<void> {
  await failpoint('server-forget');
  await rm(fileIn(dataDir), { force: true });
}

/** Where the service of this data folder listened last; it may be gone if it was killed. */
export async function findServer(dataDir: string): Promise<string | undefined> {
  try {
    const { url } = JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as { url: string };
    return url;
  } catch {
    return undefined;
  }
}
