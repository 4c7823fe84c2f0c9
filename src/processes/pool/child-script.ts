import { scriptPath } from '../../config/script-path.js';

/** Path of the script of `<name>.child.ts`. */
export function childScript(name: string): string {
  return scriptPath(`processes/${name}/child/${name}.child.js`, `children/${name}.child.cjs`);
}
