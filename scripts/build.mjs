// `npm run build`: bundles into dist/. `--if-needed` skips it when dist/ is newer than every source file.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const flags = new Set(process.argv.slice(2));

function isUpToDate() {
  const built = join(root, 'dist/main.js');
  if (!existsSync(built)) return false;
  const builtAt = statSync(built).mtimeMs;
  const sources = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((path) => join(root, folder, path)),
  );
  return [...sources, join(root, 'package-lock.json')].every((path) => statSync(path).mtimeMs <= builtAt);
}

if (!flags.has('--if-needed') || !isUpToDate()) {
  const { buildProgram, buildBenches } = await import('./bundle.mjs');
  await buildProgram();
  if (flags.has('--bench')) await buildBenches();
  if (!flags.has('--quiet')) console.log('Built dist/');
} else if (flags.has('--bench')) {
  const { buildBenches } = await import('./bundle.mjs');
  await buildBenches();
}
