// Who may import whom (docs/architecture.md). Layers: platform, features, composition.
const platform = '^src/(code-cache|config|common|duckdb|children|catalog|storage)/';
const features = '^src/(auth|queries|executions|results|uploads|usage|console)/';
const composition = '^src/([^/]+\\.ts$|cli/)';

/** A rule that forbids files matching `from` to import files matching `to`. */
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to });

module.exports = {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }, 'Imports form no cycle.'),
    forbid('platform-knows-no-feature', { path: platform }, { path: features }, 'The platform serves any feature.'),
    forbid(
      'nobody-imports-the-composition',
      { path: `${platform}|${features}` },
      { path: composition },
      'main and app are the roots.',
    ),
    forbid(
      'config-and-common-first',
      { path: '^src/(config|common)/' },
      { path: '^src/(?!config/|common/)' },
      'config and common know nobody.',
    ),
    forbid(
      'code-cache-runs-before-all',
      { path: '^src/code-cache/', pathNot: '\\.spec\\.ts$' },
      { path: '^src/(?!code-cache/)|node_modules' },
    ),
    forbid('duckdb-knows-config-and-common', { path: '^src/duckdb/' }, { path: '^src/(?!duckdb/|config/|common/)' }),
    forbid(
      'children-know-config-and-common',
      { path: '^src/children/' },
      { path: '^src/(?!children/|config/|common/)' },
    ),
    forbid(
      'auth-knows-no-other-feature',
      { path: '^src/auth/' },
      { path: '^src/(queries|executions|results|uploads|usage|console)/' },
    ),
    forbid(
      'queries-know-auth',
      { path: '^src/queries/' },
      { path: '^src/(executions|results|uploads|usage|console)/' },
    ),
    forbid(
      'uploads-know-auth',
      { path: '^src/uploads/' },
      { path: '^src/(queries|executions|results|usage|console)/' },
    ),
    forbid(
      'executions-know-queries-uploads-auth',
      { path: '^src/executions/' },
      { path: '^src/(results|usage|console)/' },
    ),
    forbid(
      'engine-only-in-duckdb',
      { pathNot: '^src/duckdb/|^bench/' },
      { path: 'node_modules/@duckdb' },
      'One door to the engine.',
    ),
    forbid(
      'engine-only-in-children',
      { pathNot: '\\.child\\.ts$|\\.spec\\.ts$|^test/|^bench/|^src/duckdb/engine/|^src/.*/in-child/' },
      { path: '^src/duckdb/engine/' },
      'The server process never loads the engine.',
    ),
    forbid('cron-only-in-jobs', { pathNot: '\\.job\\.ts$' }, { path: 'node_modules/node-cron' }),
    forbid(
      'read-plan-is-pure',
      { path: '^src/results/read-plan/', pathNot: '\\.spec\\.ts$' },
      { path: '^src/(?!results/read-plan/|duckdb/[^/]+\\.ts|common/)|node_modules' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
