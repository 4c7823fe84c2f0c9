/**
 * The packages of the server that test files load as bundles: Jest compiles every module anew for
 * each test file, and these have two thousand. What shares state with one of them must be among
 * them.
 */
export const BUNDLED_PACKAGES = [
  'reflect-metadata',
  '@fastify/busboy',
  '@fastify/compress',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-fastify',
  '@nestjs/swagger',
  'class-transformer',
  'class-validator',
  'fastify',
  'kysely',
  'kysely/migration',
  'lru-cache',
  'nestjs-pino',
  'node-cron',
  'pino',
  'rxjs',
];
