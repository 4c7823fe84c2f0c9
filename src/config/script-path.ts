import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './project-root.js';

/**
 * Path of a script that a process or thread of its own runs: `compiled`, below `src/`, if `npm
 * run dev` compiled this code file by file; otherwise `bundled`, below `dist/`.
 */
export function scriptPath(compiled: string, bundled: string): string {
  const path = join(import.meta.dirname, '..', compiled);
  return existsSync(path) ? path : join(projectRoot(), 'dist', bundled);
}
