import { BUNDLED_PACKAGES } from './scripts/bundled-packages.mjs';

/** @type {import('jest').Config} */
const common = {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  coveragePathIgnorePatterns: ['/node_modules/', '/test/'],
};

/**
 * For specs that start processes or threads of the program: it is built before.
 *
 * @type {import('jest').Config}
 */
const built = {
  ...common,
  moduleNameMapper: {
    ...common.moduleNameMapper,
    [`^(${BUNDLED_PACKAGES.join('|')})$`]: '<rootDir>/dist/test/packages/$1.js',
  },
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
};

/**
 * The end of a file's name is its project (CONTRIBUTING.md, "Tests").
 *
 * @type {import('jest').Config}
 */
export default {
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.(system|heavy)\\.spec\\.ts$'],
    },
    { ...built, displayName: 'system', testMatch: ['**/*.system.spec.ts', '**/*.e2e-spec.ts'] },
    { ...built, displayName: 'heavy', testMatch: ['**/*.heavy.spec.ts'] },
  ],
  coverageProvider: 'v8',
  coverageReporters: [['text', { skipFull: true }], 'text-summary'],
  testTimeout: 60_000,
  maxWorkers: 2,
  workerIdleMemoryLimit: '600MB',
  // A worker with a large heap takes longer to end than the half second that Jest gives it.
  workerGracefulExitTimeout: 10_000,
};
