import { rm } from 'node:fs/promises';
import { buildProgram, buildTestChildren, buildTestPackages } from '../../scripts/bundle.mjs';

/** Bundles the program and its child scripts once, so that tests start what its users start. */
export default async function globalSetup() {
  await rm('dist/test', { recursive: true, force: true });
  await Promise.all([buildProgram(), buildTestChildren(), buildTestPackages()]);
}
