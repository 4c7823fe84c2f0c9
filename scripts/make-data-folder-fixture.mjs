// `node scripts/make-data-folder-fixture.mjs PROGRAM FOLDER`: makes a small data folder with the
// built version of Eider in PROGRAM, as a fixture for the tests of upgrades, and writes what its
// results and tables read as.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const KEY = 'key-of-the-artefact-tests';
const QUERIES = [
  `SELECT n, name, day FROM sizes ORDER BY n`,
  `SELECT 1.50 AS price, 'é "x"' AS text, NULL AS nothing, [1, 2] AS list`,
];

const [program, folder] = process.argv.slice(2).map((path) => resolve(path));
const dataDir = await mkdtemp(join(tmpdir(), 'eider-fixture-'));
const server = spawn(process.execPath, ['dist/main.js', 'serve'], {
  cwd: program,
  env: {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    SAMPLE_DATA: 'false',
    BOOTSTRAP_API_KEY: KEY,
    RESULT_RETENTION_DAYS: '36500',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const url = await untilListening();

await send('/table/upload/csv', { table_name: 'sizes', data: 'n,name,day\n1,one,2026-01-01\n2,,2026-01-02\n' });
await send('/table/demo/sizes/insert', 'n,name,day\n3,three,\n', 'text/csv');
const results = {};
for (const sql of QUERIES) {
  const { execution_id: id } = await send('/sql/execute', { sql });
  while (!(await read(`/execution/${id}/status`)).includes('"is_execution_finished":true'));
  results[id] = {
    json: await read(`/execution/${id}/results`),
    csv: await read(`/execution/${id}/results/csv`),
  };
}
server.kill('SIGTERM');
await once(server, 'close');
await save();

async function untilListening() {
  for await (const chunk of server.stdout.setEncoding('utf8')) {
    const found = /listens on (http[^\s"]+)/.exec(chunk);
    if (found) return found[1];
  }
  throw new Error('The program ended');
}

async function send(path, body, type = 'application/json') {
  const headers = { 'x-service-api-key': KEY, 'content-type': type };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: text });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

async function read(path) {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { 'x-service-api-key': KEY } });
  return response.text();
}

/** Small pages make a small file of a catalog that has many empty tables. */
async function save() {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const catalog = new DatabaseSync(join(dataDir, 'catalog.db'));
  catalog.exec('PRAGMA page_size = 512');
  catalog.prepare('VACUUM INTO ?').run(join(folder, 'catalog.db'));
  catalog.close();
  for (const store of ['results', 'tables']) await cp(join(dataDir, store), join(folder, store), { recursive: true });
  await writeFile(join(folder, 'reads.json.new'), `${JSON.stringify(results, undefined, 2)}\n`);
  await rename(join(folder, 'reads.json.new'), `${folder}.json`);
  await rm(dataDir, { recursive: true });
}
