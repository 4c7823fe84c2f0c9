import { BUNDLED_PACKAGES } from './scripts/bundled-packages.mjs';

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    [`^(${BUNDLED_PACKAGES.join('|')})$`]: '<rootDir>/dist/test/packages/$1.js',
  },
  globalSetup: '<rootDir>/test/support/global-setup.js',
  maxWorkers: 2,
  workerIdleMemoryLimit: '600MB',
  testTimeout: 60_000,
};
