// Bundles the program and the scripts of its child processes and threads: swc compiles TypeScript (decorator metadata included), esbuild links.
import { readdirSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import { build } from 'esbuild';
import { BUNDLED_PACKAGES } from './bundled-packages.mjs';
import { DIGEST_FILE, digestOfSources } from './source-digest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** esbuild cannot emit decorator metadata, which Nest's injection reads, so swc compiles each file first. */
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
 * Asks for the addon of this platform itself: the package that does so first finds out which C library this is, for which it loads what starts
 * processes. Where the usual one is missing or cannot be loaded, the package is asked.
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

/** The entry files of child processes (`.child.ts`) or of threads (`.thread.ts`): all of them under a folder. */
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

/** Bundles whose packages are installed: Node loads them as they are. */
function bundleModules(entryPoints, outdir) {
  return build({ ...COMMON, entryPoints, outdir, format: 'esm', packages: 'external', plugins: [swc] });
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
    plugins: [bindings, swc],
  });
}

/** What stays outside of the program's bundle: the page files of the API documentation, and what packages look for but nobody installed. */
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

/** Writes `dist/test/<name>.child.cjs` for each child that only tests start. */
export async function buildTestChildren() {
  await bundleScripts(entriesOf('test', '.child.ts'), join(root, 'dist/test'), OUTSIDE_CHILD);
}

/**
 * Writes `dist/test/packages/<name>.js` for each package that test files load as a bundle. They are parts of one bundle, as several would not
 * load what they share in the order that it needs.
 */
export async function buildTestPackages() {
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
    banner: {
      js: [
        "import { createRequire as createRequireOfBundle } from 'node:module';",
        'const require = createRequireOfBundle(import.meta.url);',
        'const __filename = import.meta.filename;',
        'const __dirname = import.meta.dirname;',
      ].join('\n'),
    },
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
 * Writes `dist/main.js` with the bundle that it loads, `dist/children/<name>.child.cjs` and
 * `dist/threads/<name>.thread.js`. The digest of the sources is written last, so that an interrupted
 * build does not count.
 */
export async function buildProgram() {
  const dist = join(root, 'dist');
  const digest = digestOfSources(root);
  await rm(join(root, DIGEST_FILE), { force: true });
  await Promise.all([
    bundleScripts([join(root, 'src/main.ts')], dist, OUTSIDE_PROGRAM),
    bundleScripts(entriesOf('src', '.child.ts'), join(dist, 'children'), OUTSIDE_CHILD),
    bundleModules(entriesOf('src', '.thread.ts'), join(dist, 'threads')),
  ]);
  await copyFile(join(root, 'scripts/main-starter.mjs'), join(dist, 'main.js'));
  await writeFile(join(root, DIGEST_FILE), digest);
}

/** Writes `dist/bench/<name>.js` for each bench. */
export async function buildBenches() {
  const entries = readdirSync(join(root, 'bench'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(root, 'bench', basename(name)));
  await bundleModules(entries, join(root, 'dist/bench'));
}
