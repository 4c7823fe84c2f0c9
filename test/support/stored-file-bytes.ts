import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of the files of the results of some executions, or of all results, in a data folder. */
export async function storedFileBytes(dataDir: string, executionIds?: readonly string[]): Promise<number> {
  const folder = join(dataDir, 'results');
  const paths = await readdir(folder, { recursive: true });
  let bytes = 0;
  for (const path of paths.filter((one) => one.endsWith('.parquet'))) {
    const isMeant = executionIds?.some((id) => path.includes(id)) ?? true;
    if (isMeant) bytes += (await stat(join(folder, path))).size;
  }
  return bytes;
}
