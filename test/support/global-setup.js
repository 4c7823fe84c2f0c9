import { buildProgram, buildTestChildren } from '../../scripts/bundle.mjs';

/** Bundles the program and its child scripts once, so that tests start what its users start. */
export default async function globalSetup() {
  await Promise.all([buildProgram(), buildTestChildren()]);
}
