import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The program: folders and files that it is built from, and where a build leaves their digest. */
export const PROGRAM = {
  sources: ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', '.swcrc'],
  digestFile: 'dist/source.sha256',
};

/** The packages of the server, bundled for tests. */
export const TEST_PACKAGES = {
  sources: ['package-lock.json', 'scripts/bundle.mjs', 'scripts/bundled-packages.mjs'],
  digestFile: 'dist/test/packages.sha256',
};

/** The child processes that only tests start. */
export const TEST_CHILDREN = {
  sources: ['src', 'test/support', 'package-lock.json', 'scripts/bundle.mjs', '.swcrc'],
  digestFile: 'dist/test/children.sha256',
};

/**
 * Whether something was built from these sources. Times do not show it: the files of a newer
 * release can be older than the last build.
 */
export function isUpToDate(root, built = PROGRAM) {
  const path = join(root, built.digestFile);
  return existsSync(path) && readFileSync(path, 'utf8') === digestOfSources(root, built);
}

/** Builds, and writes the digest of the sources last: an interrupted build does not count. */
export async function recordBuild(root, built, build) {
  const path = join(root, built.digestFile);
  const digest = digestOfSources(root, built);
  rmSync(path, { force: true });
  await build();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, digest);
}

/** SHA-256, in hex, of the paths and the content of the sources. */
export function digestOfSources(root, { sources } = PROGRAM) {
  const hash = createHash('sha256');
  for (const path of sources.flatMap((source) => filesAt(root, source)).toSorted(byText)) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function filesAt(root, source) {
  if (statSync(join(root, source)).isFile()) return [source];
  return readdirSync(join(root, source), { recursive: true })
    .map((path) => join(source, path))
    .filter((path) => !path.endsWith('.spec.ts') && statSync(join(root, path)).isFile());
}

/** The same order on every machine, whatever its language. */
function byText(a, b) {
  return a < b ? -1 : Number(a > b);
}
