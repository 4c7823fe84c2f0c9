import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Program, processesIn, untilNobodyWorksIn } from '../support/program.js';

describe('the command line', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eider-command-line-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const run = (...words: string[]) => Program.run(words, { DATA_DIR: join(folder, 'absent') }).exited;

  it('suggests the command that a misspelt one is close to', async () => {
    expect(await run('qurey')).toMatchObject({
      code: 1,
      output: "error: unknown command 'qurey'\n(Did you mean query?)\n",
    });
  });

  it('prints the version of package.json', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await run('--version')).toMatchObject({ code: 0, output: `${version}\n` });
  });

  it('reports a file that does not exist in one sentence', async () => {
    const exit = await run('table', 'upload', 'nope.csv');
    expect(exit).toMatchObject({ code: 1, output: 'Cannot read nope.csv: there is no such file\n' });
  });

  it.each([['account', 'list'], ['query', 'list'], ['query', 'run', '1'], ['sweep'], ['doctor']])(
    'makes no data folder for %s %s',
    async (...words) => {
      const { output } = await run(...words.filter((word) => word !== undefined));
      expect(output).toMatch(
        words[0] === 'doctor' ? /does not exist yet, serve creates it/ : /^There is no data folder .*\n$/,
      );
      expect(existsSync(join(folder, 'absent'))).toBe(false);
    },
  );

  it('reports in one sentence a data folder that cannot be made', async () => {
    const exit = Program.run(['serve'], { DATA_DIR: '/dev/null/eider' }).exited;
    expect(await exit).toMatchObject({ code: 1, output: expect.stringMatching(/^[^\n]+\/dev\/null\/eider[^\n]+\n$/) });
  });

  it.each(['--port', '--host'])('reports a wrong value of serve %s as that of its setting', async (flag) => {
    const wrong = { '--port': 'web', '--host': 'not a host' }[flag] ?? '';
    const { code, output } = await run('serve', '--port', '0', flag, wrong);
    const setting = { '--port': 'PORT', '--host': 'HOST' }[flag];
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(`- ${setting} must be`) });
  });

  it('listens where the flags of serve say', async () => {
    const program = Program.run(['serve', '--port', '0', '--data-dir', join(folder, 'data')], { PORT: '1' });
    const [, port] = await program.untilOutput(/listens on http:\/\/127\.0\.0\.1:(\d+)/);
    expect(Number(port)).toBeGreaterThan(1024);
    expect(existsSync(join(folder, 'data/catalog.db'))).toBe(true);
    expect(await program.stop('SIGTERM')).toMatchObject({ code: 0 });
  });
});

describe('eider health', () => {
  it('reports by its exit code whether the service is ready', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'eider-health-'));
    const health = () => Program.run(['health'], { DATA_DIR: dataDir }).exited;
    expect(await health()).toMatchObject({
      code: 1,
      output: `No service runs on ${dataDir}: start it with eider serve\n`,
    });

    const server = await Program.serve({ DATA_DIR: dataDir });
    expect(await health()).toMatchObject({ code: 0, output: 'ready\n' });

    await server.stop('SIGKILL');
    expect(await health()).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^The service at .+ does not answer/),
    });
    await untilNobodyWorksIn(dataDir);
    await rm(dataDir, { recursive: true });
  });
});

describe('npm start', () => {
  it('passes SIGTERM on to the service and leaves no process behind', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'eider-npm-start-'));
    const npm = Program.npmStart({ DATA_DIR: dataDir });
    await npm.untilOutput(/listens on/);
    expect(processesIn(dataDir)).not.toEqual([]);
    await npm.stop('SIGTERM');
    await untilNobodyWorksIn(dataDir);
    expect(existsSync(join(dataDir, 'server.json'))).toBe(false);
    await rm(dataDir, { recursive: true });
  });
});
