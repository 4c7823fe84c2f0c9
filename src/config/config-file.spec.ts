import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfigFile } from './config-file.js';

describe('readConfigFile', () => {
  let path: string;

  beforeAll(async () => {
    path = join(await mkdtemp(join(tmpdir(), 'eider-config-')), 'eider.toml');
  });

  afterAll(() => rm(join(path, '..'), { recursive: true }));

  it('returns each value as the text that the environment would hold', async () => {
    const text = `# comment\nPORT = 9000\nMAX_RESULT_BYTES = "2GB"\nSAMPLE_DATA = false\nLINK_ROOTS = ["/a", "/b"]\n`;
    await writeFile(path, text);
    const values = { PORT: '9000', MAX_RESULT_BYTES: '2GB', SAMPLE_DATA: 'false', LINK_ROOTS: '/a,/b' };
    expect(readConfigFile(path)).toEqual({ path, values });
  });

  it.each([
    ['PORT = ', /is not valid TOML: invalid value, at line 1, column 8$/],
    ['PORT = 1\nPORT = 2', /is not valid TOML: trying to redefine .*, at line 2, column 1$/],
    ['[server]\nPORT = 1', /holds no usable value of server: expected a text, .*, without sections$/],
    ['PORT = 1979-05-27', /holds no usable value of PORT: expected a text/],
  ])('rejects %j', async (text, message) => {
    await writeFile(path, text);
    expect(() => readConfigFile(path)).toThrow(message);
  });

  it('rejects a named file that is missing', () => {
    expect(() => readConfigFile('/nowhere/eider.toml')).toThrow(
      'The configuration file /nowhere/eider.toml does not exist: correct EIDER_CONFIG or --config',
    );
  });

  it('needs no file where none is named', () => {
    expect(readConfigFile('')).toBeUndefined();
  });
});
