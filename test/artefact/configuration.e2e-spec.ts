import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Program } from '../support/program.js';

const KEY = 'key-of-the-configuration-file';

describe('the configuration file', () => {
  let folder: string;
  let file: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eider-config-'));
    file = join(folder, 'eider.toml');
  });

  afterAll(() => rm(folder, { recursive: true }));

  async function effective(words: readonly string[], settings: Record<string, string> = {}): Promise<any> {
    const { output } = await Program.run([...words, 'config', '--json'], settings).exited;
    const rows = JSON.parse(output) as { setting: string; value: unknown; source: string }[];
    return Object.fromEntries(rows.map(({ setting, value, source }) => [setting, [value, source]]));
  }

  it('comes after the environment and before the defaults', async () => {
    await writeFile(file, 'MAX_PAGE_ROWS = 7\nWORKERS = 9\nLINK_ROOTS = ["/a", "/b"]\n');
    expect(await effective([], { EIDER_CONFIG: file, READER_THREADS: '' })).toMatchObject({
      MAX_PAGE_ROWS: [7, file],
      LINK_ROOTS: ['/a, /b', file],
      WORKERS: [1, 'environment'],
      MAX_QUEUED: [1000, 'default'],
      READER_THREADS: [expect.any(Number), 'machine'],
    });
  });

  it('is named by --config too, and its secrets are not printed', async () => {
    await writeFile(file, `BOOTSTRAP_API_KEY = "${KEY}"\n`);
    const settings = await effective(['--config', file], { BOOTSTRAP_API_KEY: '' });
    expect(settings.BOOTSTRAP_API_KEY).toEqual(['(secret)', file]);
  });

  it('is checked with everything else, every problem at once', async () => {
    await writeFile(file, 'MAX_PAGE_ROW = 7\nMAX_QUEUED = "many"\n');
    const { code, output } = await Program.run(['config', 'check'], { EIDER_CONFIG: file, PORT: 'x' }).exited;
    expect(output.split('\n')).toEqual([
      'The settings are wrong:',
      '- PORT must be a whole number from 0 to 65535',
      `- MAX_QUEUED must be a whole number of at least 0 (in ${file})`,
      `- MAX_PAGE_ROW is not a setting, did you mean MAX_PAGE_ROWS? (in ${file})`,
      '',
    ]);
    expect(code).toBe(1);
  });

  it('is found valid by eider config check', async () => {
    await writeFile(file, 'MAX_PAGE_ROWS = 7\n');
    const { code, output } = await Program.run(['config', 'check'], { EIDER_CONFIG: file }).exited;
    expect([code, output]).toEqual([0, `The settings are valid. Configuration file: ${file}\n`]);
  });

  it('serves, after the flags, with a warning if others can read its key', async () => {
    await writeFile(file, `BOOTSTRAP_API_KEY = "${KEY}"\nDATA_DIR = "/nowhere"\nPUBLIC_URL = "http://eider.test"\n`);
    await chmod(file, 0o644);
    const flags = ['--config', file, '--data-dir', join(folder, 'data')];
    const program = Program.run(flags, { LOG_LEVEL: 'info', BOOTSTRAP_API_KEY: '' });
    await program.untilOutput(/listens on/);
    const { code, output } = await program.stop('SIGTERM');
    expect(output).toContain(`Other users of this machine can read BOOTSTRAP_API_KEY in ${file}`);
    expect(output).not.toContain(KEY);
    expect(code).toBe(0);
  });
});
