import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

/** Packages that run a program when they are installed, each reviewed, and what it does. */
const REVIEWED = {
  '@parcel/watcher': 'builds itself where no build for the platform is published',
  '@scarf/scarf': 'reports who installs what, unless package.json turns it off',
  '@swc/core': 'looks for its build for the platform',
  esbuild: 'looks for its build for the platform',
};

async function readJson(path: string): Promise<any> {
  return JSON.parse(await readFile(path, 'utf8'));
}

describe('npm ci', () => {
  it('reports nothing to anyone', async () => {
    expect((await readJson('package.json')).scarfSettings).toEqual({ enabled: false });
  });

  it('names in package.json the programs that may run, and those that may not', async () => {
    const { allowScripts } = await readJson('package.json');
    expect(new Set(Object.keys(allowScripts))).toEqual(new Set(Object.keys(REVIEWED)));
    expect(allowScripts).toMatchObject({ '@scarf/scarf': false });
  });

  it('runs only the programs that were reviewed', async () => {
    const { packages } = await readJson('package-lock.json');
    const withScript = Object.entries<{ hasInstallScript?: boolean }>(packages).filter(([, it]) => it.hasInstallScript);
    const names = withScript.map(([path]) => path.split('node_modules/').at(-1));
    expect(new Set(names)).toEqual(new Set(Object.keys(REVIEWED)));
  });
});
