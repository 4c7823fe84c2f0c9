import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The packages that the executable of an architecture is made from, as package-lock.json names
 * them: each with its path below the project, its name and its entry there.
 */
export function shippedPackages(root, arch) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, it]) => path !== '' && !it.dev && !it.devOptional && isFor(it, arch))
    .map(([path, entry]) => ({ path, name: path.split('node_modules/').at(-1), ...entry }));
}

function isFor({ os = ['linux'], cpu = [], libc = ['glibc'], optional, peer }, arch) {
  const isUsed = !(optional && peer);
  return isUsed && os.includes('linux') && (cpu.length === 0 || cpu.includes(arch)) && libc.includes('glibc');
}
