import { chmod, mkdtemp, readdir, realpath, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rootWarning } from '../../src/config/root-warning.js';
import { Program } from '../support/program.js';

describe('eider doctor', () => {
  let folder: string;
  let links: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'eider-sick-'));
    links = await realpath(await mkdtemp(join(tmpdir(), 'eider-links-')));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
    await rm(links, { recursive: true });
  });

  /** Makes two tables, a linked one, and two results. */
  async function fill(server: Program): Promise<void> {
    const uploads = [
      ['one', 'n\n1\n'],
      ['two', 'n,t\n1,a\n2,b\n'],
    ];
    for (const [table_name, data] of uploads)
      await server.fetch('/table/upload/csv', { method: 'POST', body: { table_name, data } });
    await writeFile(join(links, 'linked.csv'), 'n\n1\n');
    const link = ['table', 'link', 'linked', join(links, 'linked.csv')];
    expect(await Program.run(link, { DATA_DIR: join(folder, 'data'), LINK_ROOTS: links }).exited).toMatchObject({
      code: 0,
    });
    for (const sql of ['SELECT 1 AS n', 'SELECT range AS n FROM range(1000)'])
      await server.untilEnded(await server.execute(sql));
  }

  async function examine(dataDir: string, ...options: string[]): Promise<{ code: number | null; findings: unknown[] }> {
    const { code, output } = await Program.run(['doctor', '--json', ...options], {
      DATA_DIR: dataDir,
      TMPDIR: folder,
      LINK_ROOTS: links,
    }).exited;
    return { code, findings: JSON.parse(output) };
  }

  it('finds a machine well on which all works, engine included, and leaves nothing', async () => {
    const server = await Program.serve({ DATA_DIR: join(folder, 'data') });
    await fill(server);
    await server.stop('SIGTERM');
    const { code, findings } = await examine(join(folder, 'data'));
    expect({ code, findings }).toEqual({
      code: 0,
      findings: [
        { name: 'node', ok: true, message: `version ${process.versions.node}` },
        process.getuid?.() === 0
          ? { name: 'user', ok: true, isWarning: true, message: rootWarning() }
          : { name: 'user', ok: true, message: 'is not root' },
        { name: 'memory', ok: true, message: expect.stringContaining('1 workers of up to 1 GB') },
        { name: 'data folder', ok: true, message: 'can be written' },
        { name: 'file modes', ok: true, message: 'other users can read nothing' },
        { name: 'catalog', ok: true, message: 'opens, 1 accounts' },
        { name: 'tables', ok: true, message: '2 parts are there, the files of 1 linked tables too' },
        { name: 'results', ok: true, message: '2 stored results are there' },
        { name: 'executions', ok: true, message: 'none is running' },
        { name: 'quotas', ok: true, message: 'the results of 1 account are counted right' },
        { name: 'orphans', ok: true, message: 'all stored files have a row in the catalog' },
        { name: 'contents', ok: true, message: 'not read: --deep reads every value' },
        {
          name: 'engine',
          ok: true,
          message:
            'runs statements, holds them to their memory, threads, time, size of the result, spilled data; ' +
            'reads parquet, csv, ndjson files; tells progress',
        },
      ],
    });
    expect(await readdir(folder)).toEqual(['data']);
  });

  it('finds parts, results and linked files that are missing or damaged, and names the first', async () => {
    const dataDir = join(folder, 'data');
    const filesIn = async (store: string) => {
      const names = await readdir(join(dataDir, store), { recursive: true });
      return names.filter((name) => name.endsWith('.parquet')).sort();
    };
    const [part = ''] = await filesIn('tables');
    const [missing = '', damaged = ''] = await filesIn('results');
    await rm(join(dataDir, 'tables', part));
    await rm(join(dataDir, 'results', missing));
    const { size } = await stat(join(dataDir, 'results', damaged));
    await chmod(join(dataDir, 'results', damaged), 0o600);
    await truncate(join(dataDir, 'results', damaged), size - 1);
    await rm(join(links, 'linked.csv'));
    const { code, findings } = await examine(dataDir);
    expect(code).toBe(1);
    const problemsOf = (name: string) => findings.find((finding: any) => finding.name === name);
    expect(problemsOf('tables')).toEqual({
      name: 'tables',
      ok: false,
      message: expect.stringMatching(
        new RegExp(
          `^2 problems: the part ${basename(part)} of demo\\.(one|two) is missing; ` +
            'the linked table demo\\.linked cannot be read \\(The files cannot be linked: there are no .* files there\\)$',
        ),
      ),
      problems: [expect.stringContaining(basename(part)), expect.stringContaining('demo.linked')],
    });
    const results = problemsOf('results') as { ok: boolean; message: string };
    expect(results.ok).toBe(false);
    expect(results.message).toMatch(/^2 problems: the result /);
    expect(results.message).toContain(`the result ${basename(missing)} is missing`);
    expect(results.message).toContain(`the result ${basename(damaged)} has ${size - 1} bytes instead of ${size}`);

    await truncate(join(dataDir, 'results', damaged), size);
    const after = (await examine(dataDir, '--deep')).findings;
    const message = expect.stringContaining(`${basename(damaged)} is no Parquet file`);
    expect(after).toContainEqual(expect.objectContaining({ name: 'results', ok: false, message }));
    const unread = expect.stringContaining(`${basename(damaged)} cannot be read`);
    const problems = expect.arrayContaining([unread]);
    expect(after).toContainEqual(expect.objectContaining({ name: 'contents', ok: false, problems }));
  });

  it('creates no data folder', async () => {
    const { code, findings } = await examine(join(folder, 'none', 'data'));
    expect(code).toBe(0);
    expect(findings).toEqual(
      expect.arrayContaining([
        { name: 'data folder', ok: true, message: 'does not exist yet, serve creates it' },
        { name: 'file modes', ok: true, message: 'none yet' },
        { name: 'catalog', ok: true, message: 'none yet' },
      ]),
    );
    expect(await readdir(folder)).toEqual(['data']);
  });

  it('says what is wrong, and exits with 1', async () => {
    await writeFile(join(folder, 'file'), '');
    const { code, findings } = await examine(join(folder, 'file', 'data'));
    expect(code).toBe(1);
    expect(findings).toContainEqual({ name: 'data folder', ok: false, message: expect.stringContaining('ENOTDIR') });
    expect(findings).toContainEqual({ name: 'engine', ok: true, message: expect.stringContaining('runs statements') });
  });
});
