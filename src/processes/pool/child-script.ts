import { join } from 'node:path';
import { projectRoot } from '../../config/project-root.js';

/** Path of the bundled script of `<name>.child.ts`, whether this code runs from `src/` or bundled in `dist/`. */
export function childScript(name: string): string {
  return join(projectRoot(), 'dist/children', `${name}.child.cjs`);
}
