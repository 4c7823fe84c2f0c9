// Bundles the program and the scripts of its child processes and threads: swc compiles TypeScript
// (decorator metadata included), esbuild links.
import { readdirSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import { build } from 'esbuild';
import { BUNDLED_PACKAGES } from './bundled-packages.mjs';
import { PROGRAM, recordBuild, TEST_CHILDREN, TEST_PACKAGES } from './source-digest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** swc compiles first: esbuild cannot emit the decorator metadata that Nest's injection reads. */
const swc = {
  name: 'swc',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { code } = await transformFile(path, { sourceMaps: 'inline', cwd: root });
      return { contents: code, loader: 'js' };
    });
  },
};

/**
 * Asks for the addon of this platform itself: the package that does so first finds out which C
 * library this is, for which it loads what starts processes. Where the usual one is missing or
 * cannot be loaded, the package is asked.
 */
const bindings = {
  name: 'bindings',
  setup(build) {
    build.onResolve({ filter: /^@duckdb\/node-bindings$/ }, ({ importer }) =>
      importer === 'bindings' ? undefined : { path: 'bindings', namespace: 'bindings' },
    );
    build.onLoad({ filter: /.*/, namespace: 'bindings' }, () => ({
      contents: `
        try {
          module.exports = require('@duckdb/node-bindings-' + process.platform + '-' + process.arch + '/duckdb.node');
        } catch {
          module.exports = require('@duckdb/node-bindings');
        }`,
      loader: 'js',
    }));
  },
};

/**
 * Leaves out a decorator of class-validator that nothing uses: it loads tables of phone numbers,
 * a tenth of the program.
 */
const phoneNumbers = {
  name: 'phone-numbers',
  setup(build) {
    build.onLoad({ filter: /class-validator\/cjs\/decorator\/string\/IsPhoneNumber\.js$/ }, () => ({
      contents: `
        exports.IS_PHONE_NUMBER = 'isPhoneNumber';
        exports.isPhoneNumber = exports.IsPhoneNumber = () => {
          throw new Error('scripts/bundle.mjs leaves out phone numbers');
        };`,
      loader: 'js',
    }));
  },
};

/** The entry files of child processes (`.child.ts`) or threads (`.thread.ts`) under a folder. */
function entriesOf(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(root, folder, path));
}

/** Settings of all bundles. Names stay readable: they are in stack traces. */
const COMMON = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  sourcemap: true,
  keepNames: true,
  entryNames: '[name]',
  logLevel: 'warning',
};

/** Bundles of modules, with their packages or, if these are `external`, for Node to find. */
function bundleModules(entryPoints, outdir, packages) {
  return build({ ...COMMON, entryPoints, outdir, format: 'esm', packages, plugins: [swc] });
}

/** Bundles that contain their packages. They are CommonJS, because some of these packages are. */
function bundleScripts(entryPoints, outdir, external) {
  return build({
    ...COMMON,
    entryPoints,
    outdir,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    define: {
      'import.meta.url': 'urlOfBundle',
      'import.meta.dirname': '__dirname',
      'import.meta.filename': '__filename',
    },
    banner: { js: "const urlOfBundle = require('node:url').pathToFileURL(__filename).href;" },
    external,
    plugins: [bindings, phoneNumbers, swc],
  });
}

/** What is not bundled: page files of the API documentation, optional modules that are missing. */
const OUTSIDE_PROGRAM = [
  'swagger-ui-dist',
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@nestjs/platform-express',
  '@fastify/view',
  '@fastify/multipart',
  'class-transformer/storage',
  'pino-pretty',
];

/** What stays outside of the bundles of children: the package of the engine's addon. */
const OUTSIDE_CHILD = ['@duckdb/node-bindings'];

/** Makes modules of packages that expect what CommonJS gives. */
const COMMON_JS = [
  "import { createRequire as createRequireOfBundle } from 'node:module';",
  'const require = createRequireOfBundle(import.meta.url);',
  'const __filename = import.meta.filename;',
  'const __dirname = import.meta.dirname;',
].join('\n');

/** The program in several files, of which Node reads only those that a command loads. */
async function bundleProgram(entryPoint, outdir) {
  await rm(outdir, { recursive: true, force: true });
  return build({
    ...COMMON,
    entryPoints: [entryPoint],
    outdir,
    format: 'esm',
    splitting: true,
    banner: { js: COMMON_JS },
    external: OUTSIDE_PROGRAM,
    plugins: [bindings, phoneNumbers, swc],
  });
}

/** Writes `dist/test/<name>.child.cjs` for each child that only tests start. */
export function buildTestChildren() {
  return recordBuild(root, TEST_CHILDREN, () =>
    bundleScripts(entriesOf('test', '.child.ts'), join(root, 'dist/test'), [...OUTSIDE_CHILD, ...OUTSIDE_PROGRAM]),
  );
}

/**
 * Writes `dist/test/packages/<name>.js` for each package that test files load as a bundle. They are
 * parts of one bundle, as several would not load what they share in the order that it needs.
 */
export function buildTestPackages() {
  return recordBuild(root, TEST_PACKAGES, bundlePackages);
}

async function bundlePackages() {
  const outdir = join(root, 'dist/test/packages');
  await build({
    ...COMMON,
    stdin: {
      contents: BUNDLED_PACKAGES.map((name, index) => `export * as package${index} from '${name}';`).join('\n'),
      resolveDir: root,
    },
    outfile: join(outdir, 'bundle.js'),
    format: 'esm',
    sourcemap: false,
    minifyWhitespace: true,
    minifySyntax: true,
    external: OUTSIDE_PROGRAM,
    banner: { js: COMMON_JS },
    plugins: [phoneNumbers],
  });
  await Promise.all(
    BUNDLED_PACKAGES.map(async (name, index) => {
      const exported = Object.keys(await import(name)).filter((key) => key !== 'module.exports');
      const path = join(outdir, `${name}.js`);
      const lines = exported.map((key) =>
        key === 'default' ? 'export default it.default;' : `export const ${key} = it.${key};`,
      );
      const bundle = `${'../'.repeat(name.split('/').length - 1) || './'}bundle.js`;
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, `import { package${index} as it } from '${bundle}';\n${lines.join('\n')}\n`);
    }),
  );
}

/**
 * Writes `dist/main.js` with the program in `dist/program/`, `dist/children/<name>.child.cjs` and
 * `dist/threads/<name>.thread.js`.
 */
export function buildProgram() {
  return recordBuild(root, PROGRAM, bundleAll);
}

async function bundleAll() {
  const dist = join(root, 'dist');
  await Promise.all([
    bundleProgram(join(root, 'src/main.ts'), join(dist, 'program')),
    bundleScripts(entriesOf('src', '.child.ts'), join(dist, 'children'), OUTSIDE_CHILD),
    bundleModules(entriesOf('src', '.thread.ts'), join(dist, 'threads'), 'bundle'),
  ]);
  await copyFile(join(root, 'scripts/main-starter.mjs'), join(dist, 'main.js'));
}

/** Writes `dist/binary/binary.cjs`, the script that the single executable starts with. */
export async function buildBinaryEntry() {
  await bundleScripts([join(root, 'src/binary/binary.ts')], join(root, 'dist/binary'), []);
}

/** Writes `dist/bench/<name>.js` for each bench. */
export async function buildBenches() {
  const entries = readdirSync(join(root, 'bench'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(root, 'bench', basename(name)));
  await bundleModules(entries, join(root, 'dist/bench'), 'external');
}
