import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path of the bundled script of `<name>.child.ts`, whether this code runs from `src/` or bundled in `dist/`. */
export function childScript(name: string): string {
  return join(projectRoot(), 'dist/children', `${name}.child.js`);
}

/** The nearest folder upward from this file that holds a `package.json`. */
function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('No package.json above the program: the installation is incomplete');
    folder = parent;
  }
  return folder;
}
