import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUpToDate, PROGRAM, TEST_CHILDREN, TEST_PACKAGES } from '../../scripts/source-digest.mjs';

/**
 * Builds the program, as users start it, and what tests need beside it, if sources have changed.
 */
export default async function globalSetup() {
  process.env.EIDER_TEST_RUN = String(process.pid);
  process.env.EIDER_TEST_FOLDER = await mkdtemp(join(tmpdir(), 'eider-tests-'));
  await rm('dist/test/documents', { recursive: true, force: true });
  const [program, children, packages] = [PROGRAM, TEST_CHILDREN, TEST_PACKAGES].map((built) => isUpToDate('.', built));
  if (program && children && packages) return;
  const { buildProgram, buildTestChildren, buildTestPackages } = await import('../../scripts/bundle.mjs');
  await Promise.all([program || buildProgram(), children || buildTestChildren(), packages || buildTestPackages()]);
}
