// Bundles the program and the scripts of its child processes and threads: swc compiles TypeScript (decorator metadata included), esbuild links.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import { build } from 'esbuild';

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

/** The entry files of child processes (`.child.ts`) or of threads (`.thread.ts`): all of them under a folder. */
function entriesOf(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(root, folder, path));
}

function bundle(entryPoints, outdir, packages = { packages: 'external' }) {
  return build({
    entryPoints,
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    sourcemap: true,
    keepNames: true,
    ...packages,
    entryNames: '[name]',
    logLevel: 'warning',
    plugins: [swc],
  });
}

/** What CommonJS packages expect to find. */
const COMMONJS_BANNER = {
  js: [
    "import { createRequire as createRequireOfBundle } from 'node:module';",
    'const require = createRequireOfBundle(import.meta.url);',
    'const __filename = import.meta.filename;',
    'const __dirname = import.meta.dirname;',
  ].join('\n'),
};

/**
 * The program takes its packages into the bundle, which halves the time it needs to start. What stays outside: the page files of the API
 * documentation, and what packages look for but nobody installed.
 */
const PROGRAM_PACKAGES = {
  external: [
    'swagger-ui-dist',
    '@nestjs/microservices',
    '@nestjs/websockets',
    '@nestjs/platform-express',
    '@fastify/view',
    '@fastify/multipart',
    'class-transformer/storage',
    'pino-pretty',
  ],
  banner: COMMONJS_BANNER,
};

/** Children take theirs into the bundle too: loading forty small files is a quarter of a child's start. The engine's addon stays outside. */
const CHILD_PACKAGES = { external: ['@duckdb/node-bindings'], banner: COMMONJS_BANNER };

/** Writes `dist/test/<name>.child.js` for each child that only tests start. */
export async function buildTestChildren() {
  await bundle(entriesOf('test', '.child.ts'), join(root, 'dist/test'), CHILD_PACKAGES);
}

/** Writes `dist/main.js`, `dist/children/<name>.child.js` and `dist/threads/<name>.thread.js`. */
export async function buildProgram() {
  await Promise.all([
    bundle([join(root, 'src/main.ts')], join(root, 'dist'), PROGRAM_PACKAGES),
    bundle(entriesOf('src', '.child.ts'), join(root, 'dist/children'), CHILD_PACKAGES),
    bundle(entriesOf('src', '.thread.ts'), join(root, 'dist/threads'), CHILD_PACKAGES),
  ]);
}

/** Writes `dist/bench/<name>.js` for each bench. */
export async function buildBenches() {
  const entries = readdirSync(join(root, 'bench'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(root, 'bench', basename(name)));
  await bundle(entries, join(root, 'dist/bench'));
}
