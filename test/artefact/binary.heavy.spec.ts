import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MinimalRoot } from '../support/minimal-root.js';
import { type Program, untilNobodyWorksIn } from '../support/program.js';

const EXECUTABLE = resolve(`dist/binary/eider-linux-${process.arch}`);

/** A script that the executable runs as that of a child: reports the limit of its heap. */
const REPORT_HEAP = "process.send(require('node:v8').getHeapStatistics().heap_size_limit)";

let folder: string;
let root: MinimalRoot;

beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/build-binary.mjs', '--if-needed'], { stdio: 'pipe' });
  folder = await mkdtemp(join(tmpdir(), 'eider-binary-'));
  await mkdir(join(folder, 'root'));
  root = await MinimalRoot.fill(join(folder, 'root'), EXECUTABLE);
});
afterAll(() => rm(folder, { recursive: true }));

describe('the single executable, on a system without Node, as a user without privileges, with an empty environment', () => {
  let server: Program;

  beforeAll(async () => {
    server = root.start(['--port', '0']);
    server.url = await server.untilListening();
    await server.untilOutput(/first-key/);
    server.key = (await readFile(join(root.work, 'data/first-key'), 'utf8')).trim();
  });
  afterAll(async () => {
    expect(await server.stop('SIGTERM')).toMatchObject({ code: 0 });
    await untilNobodyWorksIn(root.work);
  });

  it('runs a sample query', async () => {
    const execution = await (await server.fetch('/query/1/execute', { method: 'POST' })).json();
    const { execution_id: id } = execution as { execution_id: string };
    expect(await server.untilEnded(id)).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
    const { json, csv } = await server.read(id);
    expect(JSON.parse(json)).toMatchObject({ result: { metadata: { total_row_count: 476 } } });
    expect(csv.split('\n')).toHaveLength(476 + 2);
  });

  it('takes an upload, and queries it', async () => {
    const body = { table_name: 'sizes', data: 'name,size\na,1\nb,2\n' };
    expect((await server.fetch('/table/upload/csv', { method: 'POST', body })).status).toBe(200);
    const id = await server.execute('SELECT sum(size) AS size FROM demo.sizes');
    await server.untilEnded(id);
    expect((await server.read(id)).csv).toBe('size\n3\n');
  });

  it('serves the API pages', async () => {
    const pages = await fetch(`${server.url}/api/docs`);
    expect(await pages.text()).toContain('swagger-ui-bundle.js');
    for (const [file, type] of [
      ['swagger-ui-bundle.js', 'javascript'],
      ['swagger-ui-standalone-preset.js', 'javascript'],
      ['swagger-ui.css', 'css'],
      ['favicon-32x32.png', 'png'],
    ]) {
      const answer = await fetch(`${server.url}/api/docs/${file}`);
      expect([file, answer.status, answer.headers.get('content-type')]).toEqual([
        file,
        200,
        expect.stringContaining(`${type}`),
      ]);
      await answer.arrayBuffer();
    }
  });

  it('is found well by its doctor, which prints where its files are', async () => {
    const { code, output } = await root.start(['doctor']).exited;
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/files unpacked in \/tmp\/eider-\d+\/\w{32}\n/),
    });
    expect(output).toMatch(/engine: runs statements/);
  });

  it('limits the heap of each child process', async () => {
    const lines = await Promise.all(
      (await readdir('/proc'))
        .filter((name) => /^\d+$/.test(name))
        .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    );
    const children = lines.filter((line) => /\/tmp\/eider-\d+\/\w{32}\/.*\.child\.cjs/.test(line));
    expect(children.length).toBeGreaterThan(1);
    for (const line of children) expect(line).toMatch(/--node-options=--max-old-space-size=\d+/);
  });
});

describe('the single executable', () => {
  it('unpacks its files once when four processes start at the same time', async () => {
    const home = join(root.work, 'user');
    const start = () => root.start(['--version'], { HOME: '/home/user' }).exited;
    const exits = await Promise.all([start(), start(), start(), start()]);
    expect(new Set(exits.map(({ code, output }) => `${code} ${output}`)).size).toBe(1);
    expect(exits[0]).toMatchObject({ code: 0 });
    expect(await readdir(join(home, '.cache/eider'))).toEqual([expect.stringMatching(/^\w{32}$/)]);
  });

  it('passes over a home from which the system runs no code', async () => {
    const { code, output } = await root.start(['doctor'], { HOME: '/noexec' }).exited;
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/files unpacked in \/tmp\/eider-/) });
  });

  it('reports in three parts that EIDER_RUNTIME_DIR cannot be used', async () => {
    const { code, output } = await root.start(['--version'], { EIDER_RUNTIME_DIR: '/noexec' }).exited;
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringMatching(/^Eider cannot .*\n- \/noexec: it is mounted noexec\n.*\n.*\n$/),
    });
  });

  it('takes the flags of Node for a child from its command line, and none from NODE_OPTIONS', async () => {
    const script = join(folder, 'dist/children/heap.child.cjs');
    await mkdir(join(folder, 'dist/children'), { recursive: true });
    await writeFile(script, REPORT_HEAP);
    const heapOf = async (flags: string[], NODE_OPTIONS = '') => {
      const child = fork(script, { execPath: EXECUTABLE, execArgv: flags, env: { NODE_OPTIONS } });
      const [bytes] = await once(child, 'message');
      await once(child, 'exit');
      return Number(bytes) / 2 ** 20;
    };
    expect(await heapOf(['--node-options=--max-old-space-size=64'])).toBeLessThan(400);
    expect(await heapOf([], '--max-old-space-size=64')).toBeGreaterThan(1000);
  });
});
