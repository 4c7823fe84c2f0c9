import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';

/** Where SQL for the catalog may stand, as in `docs/architecture.md`. */
const MAY_QUERY_CATALOG = /^(catalog\/.*|.*\.repository\.ts)$/;
const CATALOG_STATEMENT = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/;

describe('src/', () => {
  const sources = new Map<string, string>();

  beforeAll(async () => {
    for (const file of await readdir('src', { recursive: true })) {
      if (file.endsWith('.ts') && !file.endsWith('.spec.ts')) sources.set(file, await readFile(`src/${file}`, 'utf8'));
    }
  });

  const filesWith = (pattern: RegExp) => [...sources].filter(([, text]) => pattern.test(text)).map(([file]) => file);

  it('reads the environment in config/ only', () => {
    const files = filesWith(/\bprocess\.env\b|\benv\b.*from 'node:process'/);
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !file.startsWith('config/'))).toEqual([]);
  });

  it('has SQL for the catalog in repositories only', () => {
    const files = filesWith(CATALOG_STATEMENT);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !MAY_QUERY_CATALOG.test(file))).toEqual([]);
  });

  it('has what only SQLite understands in its folder only', () => {
    const files = filesWith(
      /\bPRAGMA (journal|synchronous|foreign_keys)|\bnode:sqlite\b|\bbegin immediate\b|datetime\('now'\)|strftime\(/i,
    );
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter((file) => !file.startsWith('catalog/sqlite/'))).toEqual([]);
  });

  it('consists of folders that a boundary rule names', async () => {
    // @ts-expect-error a configuration without types
    const { default: config } = (await import('../../.dependency-cruiser.cjs')) as {
      default: { forbidden: { name: string; from: { path?: string } }[] };
    };
    const named = config.forbidden.flatMap(({ from }) => /^\^src\/([a-z-]+)\/$/.exec(from.path ?? '')?.[1] ?? []);
    const folders = (await readdir('src', { withFileTypes: true })).filter((entry) => entry.isDirectory());
    expect(folders.length).toBeGreaterThan(10);
    expect(folders.map(({ name }) => name).filter((name) => name !== 'cli' && !named.includes(name))).toEqual([]);
  });

  it('has no file of more than 300 lines', () => {
    expect([...sources].filter(([, text]) => text.split('\n').length > 301).map(([file]) => file)).toEqual([]);
  });
});
