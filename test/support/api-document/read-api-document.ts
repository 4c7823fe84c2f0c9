import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiDocument } from './api-document.js';

/** Emptied before each run of the tests by `global-setup.js`. */
const KEPT_IN = 'dist/test/documents';

/**
 * How a running service describes itself, which depends on nothing but the brands of its headers:
 * making the document takes it a tenth of a second, so that the first test file that asks keeps it
 * for the others.
 */
export async function readApiDocument(url: string, brands: string): Promise<ApiDocument> {
  const path = join(KEPT_IN, `${encodeURIComponent(brands)}.json`);
  const kept = await readFile(path, 'utf8').catch(() => undefined);
  const text = kept ?? (await (await fetch(`${url}/api/openapi.json`)).text());
  if (kept === undefined) {
    await mkdir(KEPT_IN, { recursive: true });
    await writeFile(`${path}.${process.pid}`, text);
    await rename(`${path}.${process.pid}`, path);
  }
  return new ApiDocument(JSON.parse(text));
}
