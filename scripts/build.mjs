// `npm run build`: bundles into dist/, with `--if-needed` only if the sources have changed.
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isUpToDate } from './source-digest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const flags = new Set(process.argv.slice(2));

function requireWritableFolder() {
  const dist = join(root, 'dist');
  try {
    accessSync(existsSync(dist) ? dist : root, constants.W_OK);
  } catch {
    console.error(
      'Eider must be built first, but this user cannot write its program folder: run `npm run build` as its owner.',
    );
    process.exit(1);
  }
}

const mustBuild = !flags.has('--if-needed') || !isUpToDate(root);
if (mustBuild || flags.has('--bench')) {
  requireWritableFolder();
  const { buildProgram, buildBenches } = await import('./bundle.mjs');
  if (mustBuild) await buildProgram();
  if (flags.has('--bench')) await buildBenches();
  if (mustBuild && !flags.has('--quiet')) console.log('Built dist/');
}
