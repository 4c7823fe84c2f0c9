// `npm run build:binary`: makes dist/binary/eider-linux-<arch>, the program as a single executable
// file with Node, the engine and every file that it reads. `--arch arm64` makes that of another
// machine, `--if-needed` skips it when it was made from these sources.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { constants, zstdCompressSync } from 'node:zlib';
import { buildBinaryEntry, buildProgram } from './bundle.mjs';
import { platformPackage } from './platform-packages.mjs';
import { digestOfSources, isUpToDate } from './source-digest.mjs';
import { V8_FLAGS } from './v8-flags.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = join(root, 'dist/binary/work');

/** The mark in Node's executable that shows whether a blob was injected. */
const SENTINEL_FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Makes the engine's library 20 MB instead of 70 MB, in 2 s; higher levels take a minute. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 6 } };

/**
 * The files that the executable unpacks, by their paths below its runtime folder. All that the
 * program reads beside its data has its place here: a file that is missing is missing in the
 * executable only.
 */
function filesToPack(arch, cache) {
  const bindings = `@duckdb/node-bindings-linux-${arch}`;
  return new Map([
    ...filesOf(root, ['package.json']),
    ...filesOf(root, filesIn('dist/program', /\.js$/)),
    ...filesOf(root, filesIn('dist/children', /\.cjs$/)),
    ...filesOf(root, filesIn('dist/threads', /\.js$/)),
    ...filesOf(root, filesIn('data/sample', /./)),
    ...filesOf(root, filesIn('node_modules/swagger-ui-dist', API_PAGES)),
    ...['duckdb.node', 'libduckdb.so', 'package.json'].map((name) => [
      `node_modules/${bindings}/${name}`,
      join(platformPackage(root, bindings, cache), name),
    ]),
  ]);
}

/** Of the package of the API pages: what the pages load, and what Nest asks for their folder. */
const API_PAGES =
  /^(package\.json|index\.js|absolute-path\.js|swagger-ui(\.css|-bundle\.js|-standalone-preset\.js)|favicon-.*|LICENSE|NOTICE)$/;

function filesIn(folder, pattern) {
  const names = readdirSync(join(root, folder)).filter((name) => pattern.test(name));
  return names.toSorted().map((name) => `${folder}/${name}`);
}

function filesOf(folder, paths) {
  return paths.map((path) => [path, join(folder, path)]);
}

/** Compresses the files, and writes the list of them that `src/binary/packed-files.ts` reads. */
function packAssets(files) {
  const assets = {};
  const list = [];
  const hash = createHash('sha256');
  for (const [path, source] of files) {
    const content = readFileSync(source);
    hash.update(`${path}\0${content.length}\0`).update(content);
    list.push({ path, sizeBytes: content.length });
    assets[path] = join(work, 'assets', path);
    mkdirSync(dirname(assets[path]), { recursive: true });
    writeFileSync(assets[path], zstdCompressSync(content, COMPRESSION));
  }
  assets['files.json'] = join(work, 'files.json');
  writeFileSync(assets['files.json'], JSON.stringify({ id: hash.digest('hex').slice(0, 32), files: list }));
  return assets;
}

/** Makes the blob of script and assets that Node finds in its own executable. */
function makeBlob(assets) {
  const output = join(work, 'eider.blob');
  const main = join(root, 'dist/binary/binary.cjs');
  // Not from NODE_OPTIONS: the flags of a user's other programs would change this one.
  const options = { disableExperimentalSEAWarning: true, execArgv: V8_FLAGS, execArgvExtension: 'cli' };
  const config = { main, output, assets, ...options };
  const path = join(work, 'sea.json');
  writeFileSync(path, JSON.stringify(config));
  // The Node that reads a blob must be the one that wrote it, whatever runs this script.
  const node = join(root, `node_modules/node-linux-${process.arch}/bin/node`);
  execFileSync(node, ['--experimental-sea-config', path], { stdio: 'pipe' });
  return output;
}

/** Takes the symbols out of Node, 18 MB; other machines need a tool of their own. */
function strip(executable, arch) {
  const prefix = { arm64: 'aarch64-linux-gnu-', x64: 'x86_64-linux-gnu-' }[arch];
  const tools = process.arch === arch ? ['strip'] : [`${prefix}strip`, 'llvm-strip'];
  if (!tools.some((tool) => spawnSync(tool, [executable]).status === 0))
    console.warn(`Node keeps its symbols: found no ${tools.join(' or ')}`);
}

/** postject warns of sections that it cannot read: its output is shown only if it fails. */
function injectBlob(executable, blob) {
  const postject = fileURLToPath(import.meta.resolve('postject/dist/cli.js'));
  const words = [executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', SENTINEL_FUSE];
  execFileSync(process.execPath, [postject, ...words], { stdio: 'pipe' });
}

async function buildBinary(target, arch) {
  const cache = join(root, 'dist/binary/packages');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  if (!isUpToDate(root)) await buildProgram();
  await buildBinaryEntry();
  const blob = makeBlob(packAssets(filesToPack(arch, cache)));
  const executable = join(work, 'eider');
  copyFileSync(join(platformPackage(root, `node-linux-${arch}`, cache), 'bin/node'), executable);
  strip(executable, arch);
  injectBlob(executable, blob);
  rmSync(target, { force: true });
  rmSync(`${target}.source`, { force: true });
  copyFileSync(executable, target);
  rmSync(work, { recursive: true });
  writeFileSync(`${target}.source`, digestOfSources(root));
  console.log(`Built ${target} (${Math.round(statSync(target).size / 1e6)} MB)`);
}

function isBuilt(target) {
  return existsSync(`${target}.source`) && readFileSync(`${target}.source`, 'utf8') === digestOfSources(root);
}

const { values } = parseArgs({
  options: { arch: { type: 'string', default: process.arch }, 'if-needed': { type: 'boolean' } },
});
const target = join(root, `dist/binary/eider-linux-${values.arch}`);
if (!values['if-needed'] || !isBuilt(target)) await buildBinary(target, values.arch);
