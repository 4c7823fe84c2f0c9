import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the program is built from: folders and files of the project. */
const SOURCES = ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', '.swcrc'];

/** Where a build leaves the digest of its sources, below the root of the project. */
export const DIGEST_FILE = 'dist/source.sha256';

/** Whether dist/ was built from these sources. Times say nothing: the files of a newer release can be older than the last build. */
export function isUpToDate(root) {
  const path = join(root, DIGEST_FILE);
  return existsSync(path) && readFileSync(path, 'utf8') === digestOfSources(root);
}

/** SHA-256, in hex, of the paths and the content of everything that the program is built from. */
export function digestOfSources(root) {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => filesAt(root, source)).toSorted(byText)) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesAt(root, source) {
  if (statSync(join(root, source)).isFile()) return [source];
  return readdirSync(join(root, source), { recursive: true })
    .map((path) => join(source, path))
    .filter((path) => statSync(join(root, path)).isFile());
}

/** The same order on every machine, whatever its language. */
function byText(a, b) {
  return a < b ? -1 : Number(a > b);
}
