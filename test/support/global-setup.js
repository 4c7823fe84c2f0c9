import { rm } from 'node:fs/promises';
import { buildProgram, buildTestChildren, buildTestPackages } from '../../scripts/bundle.mjs';
import { isUpToDate } from '../../scripts/source-digest.mjs';

/** Bundles the program and its child scripts once, so that tests start what its users start. */
export default async function globalSetup() {
  await rm('dist/test', { recursive: true, force: true });
  const program = isUpToDate('.') ? undefined : buildProgram();
  await Promise.all([program, buildTestChildren(), buildTestPackages()]);
}
