import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SharedServer } from '../support/shared-server.js';

const run = promisify(execFile);

/** Runs a command of a package of `node_modules`. */
function runPackage(path: string, ...parameters: string[]): Promise<{ stdout: string }> {
  return run(process.execPath, [resolve('node_modules', path), ...parameters]);
}

describe('a client made with openapi-typescript', () => {
  let server: SharedServer;
  /** Within the repository: the client finds its packages from here. */
  let folder: string;
  let operations: string[];

  beforeAll(async () => {
    server = await SharedServer.use();
    await mkdir('dist/test', { recursive: true });
    folder = await mkdtemp('dist/test/typescript-client-');
    const document = await (await fetch(`${server.url}/api/openapi.json`)).text();
    const { paths } = JSON.parse(document) as { paths: Record<string, object> };
    operations = Object.entries(paths).flatMap(([path, calls]) => Object.keys(calls).map((name) => `${name} ${path}`));
    await writeFile(join(folder, 'openapi.json'), document);
    await copyFile('test/clients/typescript/client.ts', join(folder, 'client.ts'));
    await runPackage('openapi-typescript/bin/cli.js', join(folder, 'openapi.json'), '-o', join(folder, 'api.ts'));
  });
  afterAll(async () => {
    await server.leave();
    await rm(folder, { recursive: true });
  });

  it('compiles, and refuses what the document does not have', async () => {
    const settings = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      'node',
      '--skipLibCheck',
    ];
    const compiled = runPackage('typescript/bin/tsc', '--ignoreConfig', ...settings, join(folder, 'client.ts'));
    expect(await compiled.catch((error: { stdout: string }) => error)).toEqual({ stdout: '', stderr: '' });
  });

  it('calls every operation', async () => {
    const env = { ...process.env, EIDER_URL: server.url, EIDER_KEY: server.key };
    const { stdout } = await run(process.execPath, [join(folder, 'client.ts')], { env });
    expect((JSON.parse(stdout) as string[]).sort()).toEqual(operations.sort());
  });
});
