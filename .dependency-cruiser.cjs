// Who may import whom (docs/architecture.md). Three floors: composition, features, platform; between
// the last two the pure core. Every folder of src/ is named here: test/docs/boundaries.spec.ts.
/** What each folder of the platform and of the core may import beside itself. */
const MAY_IMPORT = {
  config: [],
  telemetry: [],
  http: ['config'],
  duckdb: ['http', 'config', 'types'],
  types: ['duckdb', 'http', 'config'],
  'read-plan': ['types', 'duckdb', 'http', 'config'],
  storage: ['types', 'http', 'config'],
  catalog: ['http', 'telemetry', 'config'],
  binary: ['config'],
  processes: ['types', 'duckdb', 'storage', 'http', 'telemetry', 'config'],
};

/** Which features each feature may import. */
const FEATURES_BELOW = {
  auth: [],
  queries: ['auth'],
  uploads: ['auth'],
  executions: ['auth', 'queries', 'uploads'],
  results: ['auth', 'queries', 'executions'],
  sweep: ['auth', 'uploads', 'executions'],
  'first-start': ['auth', 'queries', 'uploads'],
  backup: ['auth', 'queries', 'uploads', 'executions', 'results'],
  health: ['queries', 'uploads', 'executions', 'results'],
  metrics: ['executions'],
  tracing: [],
};

const CORE = ['read-plan', 'types'];
const PLATFORM = ['processes', 'duckdb', 'catalog', 'storage', 'http', 'telemetry', 'config'];
const FEATURES = Object.keys(FEATURES_BELOW);

const oneOf = (folders) => `(${folders.join('|')})`;

/** A rule that forbids files matching `from` to import files matching `to`. */
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

/** Forbids a folder to import any other folder of src/ than those. */
const onlyInto = (folder, allowed) =>
  forbid(
    `${folder}-imports-${allowed.length === 0 ? 'nothing' : allowed.join('-')}`,
    { path: `^src/${folder}/`, pathNot: '\\.spec\\.ts$' },
    { path: `^src/(?!${oneOf([folder, ...allowed])}/)` },
  );

module.exports = {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }, 'Imports form no cycle.'),
    ...Object.entries(MAY_IMPORT).map(([folder, allowed]) => onlyInto(folder, allowed)),
    ...Object.entries(FEATURES_BELOW).map(([feature, below]) => onlyInto(feature, [...below, ...CORE, ...PLATFORM])),
    forbid(
      'a-dto-is-of-its-feature',
      { path: `^src/${oneOf(FEATURES)}/`, pathNot: '\\.spec\\.ts$' },
      { path: `^src/${oneOf(FEATURES)}/dto/`, pathNot: '^src/$1/dto/' },
      'A feature shows others its service, module, guards, decorators and value types, never its bodies.',
    ),
    forbid('engine-only-in-duckdb', { pathNot: '^src/duckdb/connection/|^bench/' }, { path: 'node_modules/@duckdb' }),
    forbid(
      'engine-only-in-children',
      { pathNot: '^src/processes/[^/]+/child/|^src/duckdb/connection/|\\.spec\\.ts$|^test/|^bench/' },
      { path: '^src/duckdb/connection/' },
      'The server process never loads the engine.',
    ),
    forbid(
      'children-only-from-children',
      { pathNot: '^src/processes/[^/]+/child/|\\.spec\\.ts$|^test/|^bench/' },
      { path: '^src/processes/[^/]+/child/' },
      'What runs in a child process is reached by messages.',
    ),
    forbid(
      'cron-only-in-jobs',
      { pathNot: '\\.job\\.ts$|^src/config/cron-line\\.ts$' },
      { path: 'node_modules/node-cron' },
      'config/cron-line.ts asks node-cron whether a schedule is valid.',
    ),
    forbid(
      'the-core-is-pure',
      { path: `^src/${oneOf(CORE)}/`, pathNot: '\\.spec\\.ts$' },
      { path: 'node_modules|^node:' },
      'No framework and no input or output.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
