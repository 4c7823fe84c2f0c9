// `npm run release`: makes the files of one in dist/release, for x64 and arm64 or each --arch:
// the single executable with its licences as .tar.xz, an SBOM (CycloneDX), and SHA256SUMS.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { shippedPackages } from './shipped-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'dist/release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function run(program, words) {
  return execFileSync(program, words, { cwd: root, maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Files of the same sources give the same archive: owners and times are fixed. */
function makeArchive(name, arch) {
  const folder = join(target, name);
  mkdirSync(folder, { recursive: true });
  run(process.execPath, ['scripts/build-binary.mjs', '--if-needed', '--arch', arch]);
  copyFileSync(join(root, `dist/binary/eider-linux-${arch}`), join(folder, 'eider'));
  for (const file of ['LICENSE', 'CHANGELOG.md', 'docs/operations.md', 'deploy/systemd/eider.service'])
    copyFileSync(join(root, file), join(folder, file.split('/').at(-1)));
  const notices = run(process.execPath, ['scripts/third-party-notices.mjs', '--arch', arch]);
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), notices);
  const fixed = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  run('tar', ['-C', target, ...fixed, '-I', 'xz -3 -T0', '-cf', join(target, `${name}.tar.xz`), name]);
  rmSync(folder, { recursive: true });
}

/**
 * The list that npm makes, with the engine's library, without packages of other platforms and of
 * development (npm's own `--omit=dev` drops those that development uses too).
 */
function makeSbom(name, arch) {
  const sbom = JSON.parse(run('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx']));
  const shipped = new Set(shippedPackages(root, arch).map((it) => `${it.name}@${it.version}`));
  const isShipped = (reference) => shipped.has(reference) || reference === `eider@${version}`;
  const engine = engineComponent();
  const dependencies = sbom.dependencies.filter(({ ref }) => isShipped(ref));
  const kept = dependencies.map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isShipped) }));
  Object.assign(sbom.metadata.component, { name: 'eider', type: 'application' });
  sbom.components = [...sbom.components.filter((it) => isShipped(it['bom-ref'])), engine];
  if (sbom.components.length !== shipped.size + 1) throw new Error('The SBOM lacks packages that are shipped');
  sbom.dependencies = [...kept, { ref: engine['bom-ref'], dependsOn: [] }];
  writeFileSync(join(target, `${name}.cdx.json`), JSON.stringify(sbom, null, 2));
}

function engineComponent() {
  const bindings = shippedPackages(root, process.arch).find((it) => it.name === '@duckdb/node-bindings');
  const engineVersion = bindings.version.split('-')[0];
  const licenses = [{ license: { id: 'MIT' } }];
  const purl = `pkg:github/duckdb/duckdb@v${engineVersion}`;
  return {
    'bom-ref': purl,
    type: 'library',
    name: 'duckdb',
    version: engineVersion,
    scope: 'required',
    purl,
    licenses,
  };
}

function writeSums() {
  const lines = readdirSync(target).map((name) => {
    const digest = createHash('sha256').update(readFileSync(join(target, name)));
    return `${digest.digest('hex')}  ${name}\n`;
  });
  writeFileSync(join(target, 'SHA256SUMS'), lines.join(''));
}

const { values } = parseArgs({ options: { arch: { type: 'string', multiple: true, default: ['x64', 'arm64'] } } });
rmSync(target, { recursive: true, force: true });
for (const arch of values.arch) {
  const name = `eider-${version}-linux-${arch}`;
  makeArchive(name, arch);
  makeSbom(name, arch);
  console.log(`Made ${name}.tar.xz`);
}
writeSums();
