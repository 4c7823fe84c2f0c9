import { readdir } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
// @ts-expect-error a script without types
import { shippedPackages } from '../../scripts/shipped-packages.mjs';

/** Packages under the MIT licence whose authors publish no file with its text. */
const WITHOUT_TEXT = ['@tokenizer/token', 'abstract-logging'];

const namesOf = (arch: string): string[] => shippedPackages('.', arch).map(({ name }: { name: string }) => name);

describe('shippedPackages', () => {
  it.each([
    ['x64', 'arm64'],
    ['arm64', 'x64'],
  ])('names Node and the engine of %s, not of another platform', (arch, other) => {
    const names = namesOf(arch);
    expect(names).toEqual(
      expect.arrayContaining(['fastify', `node-linux-${arch}`, `@duckdb/node-bindings-linux-${arch}`]),
    );
    expect(names.filter((name) => name.includes(other) || /darwin|win32|musl/.test(name))).toEqual([]);
  });

  it('names no package of development', () => {
    expect(namesOf('x64').filter((name) => /^(jest|esbuild|typescript|postject)$/.test(name))).toEqual([]);
  });

  it('names packages with the text of their licence', async () => {
    const without = [];
    for (const { path, name } of shippedPackages('.', process.arch)) {
      const files = await readdir(path);
      if (!files.some((file) => /^(licen[cs]e|notice|copying)/i.test(file))) without.push(name);
    }
    expect(without).toEqual(WITHOUT_TEXT);
  });
});
