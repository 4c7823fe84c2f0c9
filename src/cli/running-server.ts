import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

function fileIn(dataDir: string): string {
  return join(dataDir, 'server.json');
}

/** Leaves word of where the service listens, for commands beside it. */
export async function publishServer(dataDir: string, url: string): Promise<void> {
  await writeFile(fileIn(dataDir), JSON.stringify({ url }));
}

/** Takes that word back. */
export async function forgetServer(dataDir: string): Promise<void> {
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
