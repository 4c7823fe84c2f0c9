// Finds the packages of a platform that is not this one, which npm does not install.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folder of a package: that in node_modules or, for another platform, one below `cache` with
 * the version that package-lock.json names, whose digest is checked.
 */
export function platformPackage(root, name, cache) {
  const installed = join(root, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = packages[`node_modules/${name}`];
  const folder = join(cache, `${name.replace('/', '-')}-${version}`);
  if (existsSync(folder)) return join(folder, 'package');
  mkdirSync(cache, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--json', `--pack-destination=${cache}`, `${name}@${version}`], {
    maxBuffer: 1e9,
  });
  const archive = join(cache, Object.values(JSON.parse(packed))[0].filename.replace('@', '').replace('/', '-'));
  const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (digest !== integrity) throw new Error(`${name}@${version} is not the package of package-lock.json: ${digest}`);
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  return join(folder, 'package');
}
