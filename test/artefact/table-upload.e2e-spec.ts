import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Program, type ProgramExit, untilNobodyWorksIn } from '../support/program.js';

describe('eider table upload', () => {
  let folder: string;
  let settings: Record<string, string>;
  let server: Program;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eider-table-upload-'));
    settings = { DATA_DIR: join(folder, 'data') };
    server = await Program.serve(settings);
  });
  afterAll(async () => {
    await server.stop('SIGTERM');
    await untilNobodyWorksIn(folder);
    await rm(folder, { recursive: true });
  });

  async function upload(file: string, content: string | Uint8Array, ...words: string[]): Promise<ProgramExit> {
    const path = join(folder, file);
    await writeFile(path, content);
    return Program.run(['table', 'upload', path, ...words], settings).exited;
  }

  const uploaded = (text: string) => ({ code: 0, signal: null, output: `${text}\n` });

  it('uploads a file that gzip has compressed', async () => {
    expect(await upload('Prices.csv.gz', gzipSync('a;b\n1;2\n'))).toEqual(uploaded('Uploaded 1 rows as demo.prices'));
  });

  it('takes a delimiter', async () => {
    const { output } = await upload('odd.txt', 'a^b\n1^2\n', '--delimiter', '^', '--json');
    expect(JSON.parse(output).columns).toMatchObject([{ name: 'a' }, { name: 'b' }]);
  });

  it('replaces invalid names on request, and lists them', async () => {
    expect(await upload('years.csv', '2020,n,N\n1,2,3\n', '--normalize-names')).toEqual(
      uploaded("Column 1, '2020', is named 'c_2020'\nColumn 3, 'N', is named 'N_2'\nUploaded 1 rows as demo.years"),
    );
  });

  it('names the options that help', async () => {
    expect(await upload('years.csv', '2020\n1\n')).toMatchObject({
      code: 1,
      output: expect.stringContaining('(--normalize-names replaces such names)\n'),
    });
    expect(await upload('ragged.csv', 'a;b\n1;2;3\n')).toMatchObject({
      code: 1,
      output: expect.stringContaining("(read with the detected delimiter ';'; --delimiter sets another)\n"),
    });
  });
});
