import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    // Under the empty path stands Eider itself.
    const withScript = Object.entries<{ hasInstallScript?: boolean }>(packages).filter(
      ([path, it]) => path !== '' && it.hasInstallScript,
    );
    const names = withScript.map(([path]) => path.split('node_modules/').at(-1));
    expect(new Set(names)).toEqual(new Set(Object.keys(REVIEWED)));
  });

  it('checks the engine last, and writes nothing if it is there', async () => {
    expect((await readJson('package.json')).scripts.postinstall).toBe('node scripts/check-engine.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/check-engine.mjs']);
    expect({ status, output: `${stdout}${stderr}` }).toEqual({ status: 0, output: '' });
  });

  it('fails without the engine for this platform, and names the package', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'eider-install-'));
    await cp('scripts/check-engine.mjs', join(folder, 'check-engine.mjs'));
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'check-engine.mjs')]);
    await rm(folder, { recursive: true });
    expect(status).toBe(1);
    expect(String(stderr)).toMatch(/^The engine cannot be loaded: .+\n.+node-bindings-linux-\w+, .+\n.+npm ci .+\n$/);
  });
});
