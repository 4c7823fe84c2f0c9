import { buildChildren } from '../../scripts/bundle.mjs';

/** Bundles the child-process scripts once, so that tests fork what the program forks. */
export default async function globalSetup() {
  await buildChildren();
}
