// Prints the licences of everything in the single executable: THIRD-PARTY-NOTICES. `--arch` names
// that of another machine.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { platformPackage } from './platform-packages.mjs';
import { shippedPackages } from './shipped-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const LICENCE_FILE = /^(licen[cs]e|notice|copying)/i;
const RULE = '='.repeat(80);

/** The engine's library comes inside of its addon's package, and npm does not know it. */
function describe(name, version) {
  if (name.startsWith('@duckdb/node-bindings-')) return `${name} ${version}, with DuckDB ${version.split('-')[0]}`;
  if (name.startsWith('node-linux-')) return `${name} ${version}: Node.js`;
  return `${name} ${version}`;
}

function licenceTexts(folder) {
  const files = readdirSync(folder).filter((name) => LICENCE_FILE.test(name));
  return files.map((name) => readFileSync(join(folder, name), 'utf8').trim());
}

/** The notices, in the order of the packages' names. */
function thirdPartyNotices(arch) {
  const copies = shippedPackages(root, arch).map((it) => [`${it.name}@${it.version}`, it]);
  const sections = [...new Map(copies).values()].map(({ path, name, version, license }) => {
    const installed = join(root, path);
    const folder = existsSync(installed) ? installed : platformPackage(root, name, join(root, 'dist/binary/packages'));
    const texts = licenceTexts(folder);
    if (texts.length === 0) texts.push('Its package has no text of the licence.');
    return [RULE, describe(name, version), `Licence: ${license}`, RULE, '', ...texts, ''].join('\n');
  });
  return ['Eider contains the following software.', '', ...sections].join('\n');
}

const { values } = parseArgs({ options: { arch: { type: 'string', default: process.arch } } });
process.stdout.write(thirdPartyNotices(values.arch));
