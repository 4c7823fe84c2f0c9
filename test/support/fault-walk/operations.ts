import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FailpointName } from '../../../src/config/failpoints.js';
import { Program } from '../program.js';
import type { Issues } from './issue.js';
import { ABSENT } from './ledger.js';
import { insertInto, PARTS, type PreparedFolder, THOUSAND_ROWS } from './prepared-folder.js';
import { LONG_AGO, makeOlder, makeRunning, prepareSweep, readKey } from './starting-points.js';
import { untilOr, type WalkClient } from './walk-client.js';

/** The part of an operation whose failpoints are walked. */
export type Window = 'start' | 'act' | 'stop' | 'start and act';

/** Where a program has crashed: at a point that it had reached so often. */
export interface CrashedAt {
  readonly name: FailpointName;
  readonly nth: number;
}

/** Something that the service does, on the copy of a prepared folder. */
export interface Operation {
  readonly name: string;
  readonly window: Window;
  readonly settings?: Readonly<Record<string, string>>;
  /** Changes the copy, before the program starts. */
  readonly prepare?: (folder: PreparedFolder) => Promise<void> | void;
  /** A command that is walked instead of a server. */
  readonly command?: (folder: PreparedFolder) => readonly string[];
  readonly act?: (client: WalkClient, folder: PreparedFolder) => Promise<void>;
  /** What must be left by a crash at a point, and what of it must be read after the restart. */
  readonly examine?: (folder: PreparedFolder, crashed: CrashedAt, issues: Issues) => void;
  /** What an operator does next, before a server starts. */
  readonly resume?: (folder: PreparedFolder, issues: Issues) => Promise<void>;
  /** What must be so in the end. */
  readonly check?: (client: WalkClient, folder: PreparedFolder, issues: Issues) => Promise<void>;
}

const NDJSON = 'application/x-ndjson';
/** Runs for some seconds, so that the stop of a server finds it running. */
const LONG_SQL = 'SELECT count(*) AS n FROM range(150000000) WHERE sqrt(range) >= 0';
const MERGE_MS = 20_000;
const START_MS = 10_000;
/** The states that a crash leaves an execution in, and how often it has begun in the end. */
const LEFT_EXECUTIONS: Partial<Record<FailpointName, { readonly state: string; readonly attempts: number }>> = {
  'execution-inserted': { state: 'PENDING', attempts: 1 },
  'execution-begun': { state: 'EXECUTING', attempts: 2 },
  'run-ended': { state: 'EXECUTING', attempts: 2 },
  'result-renamed': { state: 'EXECUTING', attempts: 2 },
  'result-committed': { state: 'COMPLETED', attempts: 1 },
};

const upload = (client: WalkClient, table_name: string, data: string) =>
  client.send('/table/upload/csv', { method: 'POST', body: { table_name, data } });

const countParts = (folder: PreparedFolder, table: string) =>
  folder.inCatalog(`SELECT blob FROM table_parts WHERE table_id = (SELECT id FROM tables WHERE name = '${table}')`)
    .length;

/** Rows that take more than one segment of a staged text. */
function twoSegments(rows: readonly number[]): string {
  const blanks = ' '.repeat(2 ** 20);
  return rows.map((row) => `{"n":${row}${blanks}}\n`).join('');
}

/** A crash before or after the commit of a table's change leaves the one or the other version. */
const requireVersion =
  (versions: { readonly before: string; readonly after: string }) =>
  ({ ledger }: PreparedFolder, { name }: CrashedAt): void => {
    if (name === 'upload-staged' || name === 'part-stored') ledger.tables.set('sizes', [versions.before]);
    if (name === 'table-committed') ledger.tables.set('sizes', [versions.after]);
  };

async function requireOk(sent: Promise<{ readonly status: number; readonly text: string }>): Promise<void> {
  const { status, text } = await sent;
  if (status !== 200) throw new Error(`Answered ${status}: ${text}`);
}

const quoted = (sql: string) => sql.replaceAll("'", "''");

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

const MANY_ROWS = range(3, 70);

/** Every operation of the walk. */
export const OPERATIONS: readonly Operation[] = [
  {
    name: 'execute',
    window: 'act',
    act: async (client) => {
      await client.execute(THOUSAND_ROWS);
      await client.execute('SELECT n FROM sizes');
    },
    examine: (folder, { name }, issues) => {
      const left = LEFT_EXECUTIONS[name];
      const [{ id, state } = {}] = folder.inCatalog('SELECT id, state FROM executions ORDER BY id DESC LIMIT 1');
      if (left && state !== left.state) issues.add('left', `${id} is ${state}`);
      if (id) folder.ledger.started.add(String(id));
      if (id && left) folder.ledger.attempts.set(String(id), left.attempts);
    },
    check: async (client, folder, issues) => {
      const [first, ...others] = folder.inCatalog(`SELECT id FROM executions WHERE sql = '${quoted(THOUSAND_ROWS)}'`);
      const csvOf = async (id: unknown) => (await client.send(`/execution/${id}/results/csv`)).text;
      for (const { id } of others)
        if ((await csvOf(id)) !== (await csvOf(first?.id))) issues.add('lost', `${id} reads differently`);
      for (const [id, attempts] of folder.ledger.attempts) {
        const [{ attempt } = {}] = folder.inCatalog(`SELECT attempt FROM executions WHERE id = '${id}'`);
        if (attempt !== attempts) issues.add('left', `${id} has begun ${attempt} times`);
      }
    },
  },
  {
    name: 'read',
    window: 'act',
    act: async (client, { ledger }) => {
      for (const id of ledger.results.keys()) await client.read(id);
    },
  },
  {
    name: 'delete',
    window: 'act',
    act: async (client, { ledger, known }) => {
      const [id = ''] = known.spare;
      ledger.forget([id]);
      await client.send(`/execution/${id}`, { method: 'DELETE' });
      await ledger.change('sizes', ABSENT, () => client.send('/table/demo/sizes', { method: 'DELETE' }));
    },
  },
  {
    name: 'upload',
    window: 'act',
    act: (client, { ledger }) => ledger.change('fresh', '7', () => upload(client, 'fresh', 'n\n7\n')),
  },
  {
    name: 'overwrite',
    window: 'act',
    act: (client, { ledger }) => ledger.change('sizes', '8\n9', () => upload(client, 'sizes', 'n\n8\n9\n')),
    examine: requireVersion({ before: '1\n2', after: '8\n9' }),
    check: async (client) => {
      await requireOk(upload(client, 'sizes', 'n\n4\n'));
    },
  },
  {
    name: 'insert',
    window: 'act',
    act: (client, { ledger }) => ledger.change('sizes', '1\n2\n3', () => insertInto(client, 'sizes', 'n\n3\n')),
    examine: requireVersion({ before: '1\n2', after: '1\n2\n3' }),
    check: async (client) => {
      await requireOk(insertInto(client, 'sizes', 'n\n4\n'));
    },
  },
  {
    name: 'insert of two segments',
    window: 'act',
    act: async (client, { ledger }) => {
      const body = twoSegments(MANY_ROWS);
      await ledger.change('sizes', [1, 2, ...MANY_ROWS].join('\n'), () => insertInto(client, 'sizes', body, NDJSON));
    },
    examine: (folder, crashed, issues) => {
      requireVersion({ before: '1\n2', after: [1, 2, ...MANY_ROWS].join('\n') })(folder, crashed);
      const parts = { 'part-stored': 1, 'table-committed': 3 }[crashed.name as string];
      const found = countParts(folder, 'sizes');
      if (parts !== undefined && found !== parts) issues.add('left', `${found} parts`);
    },
    check: async (client) => {
      await requireOk(insertInto(client, 'sizes', 'n\n0\n'));
    },
  },
  {
    name: 'merge',
    window: 'act',
    act: async (client, folder) => {
      const rows = range(0, PARTS + 1).join('\n');
      await folder.ledger.change('many', rows, () => insertInto(client, 'many', `n\n${PARTS}\n`));
      const isOver = () => countParts(folder, 'many') < PARTS || /=\w+$/m.test(client.program.output);
      await untilOr(MERGE_MS, () => client.isGone || isOver());
    },
    check: async (client, folder, issues) => {
      await requireOk(insertInto(client, 'many', `n\n${PARTS + 1}\n`));
      if (!(await untilOr(MERGE_MS, () => countParts(folder, 'many') < PARTS))) issues.add('stuck', 'no merge');
    },
  },
  {
    name: 'sweep',
    window: 'act',
    settings: { ORPHAN_GRACE: '0' },
    prepare: prepareSweep,
    command: () => ['sweep'],
    examine: (folder, { name, nth }, issues) => {
      const [{ count } = {}] = folder.inCatalog("SELECT count(*) AS count FROM executions WHERE state = 'EXPIRED'");
      const isExpiring = name === 'result-expired' || name === 'result-deleted';
      if (isExpiring && count !== nth) issues.add('left', `${count} expired results`);
      const [{ waiting } = {}] = folder.inCatalog('SELECT count(*) AS waiting FROM removed_parts');
      if (name === 'part-deleted' && waiting !== 1) issues.add('left', `${waiting} removed parts`);
    },
    resume: async (folder, issues) => {
      const again = Program.run(['sweep'], { DATA_DIR: folder.dataDir, ORPHAN_GRACE: '0' });
      const { code, output } = await again.exited;
      if (code !== 0) issues.add('end', `the next sweep: ${output}`);
      const left = folder.inCatalog(
        `SELECT id FROM executions WHERE expires_at = '${LONG_AGO}' AND state <> 'EXPIRED'`,
      );
      if (left.length > 0) issues.add('stuck', 'a result is not expired');
      if (folder.inCatalog('SELECT blob FROM removed_parts').length > 0) issues.add('stuck', 'a part is not removed');
    },
  },
  {
    name: 'migrate',
    window: 'act',
    prepare: makeOlder,
    command: () => ['migrate'],
  },
  {
    name: 'backup',
    window: 'act',
    command: ({ backups }) => ['backup', backups],
    resume: async (folder, issues) => {
      const { code, output } = await Program.run(['backup', folder.backups], { DATA_DIR: folder.dataDir }).exited;
      if (code !== 0) issues.add('end', `the next backup: ${output}`);
      for (const backup of backupsIn(folder.backups)) {
        const verified = await Program.run(['backup', '--verify', backup], { DATA_DIR: folder.dataDir }).exited;
        if (verified.code !== 0) issues.add('lost', `${verified.output}`);
      }
    },
  },
  {
    name: 'restore',
    window: 'act',
    prepare: async (folder) => {
      folder.ledger.forget([folder.known.late]);
      await rm(folder.dataDir, { recursive: true });
    },
    command: ({ backups, dataDir }) => ['restore', newestIn(backups), '--data-dir', dataDir],
    resume: async ({ backups, dataDir }, issues) => {
      const { code } = await Program.run(['doctor'], { DATA_DIR: dataDir }).exited;
      if (code === 0 && existsSync(join(dataDir, 'catalog.db'))) return;
      // What was restored by half is no data folder.
      await rm(dataDir, { recursive: true, force: true });
      const restored = await Program.run(['restore', newestIn(backups), '--data-dir', dataDir], {}).exited;
      if (restored.code !== 0) issues.add('end', `the next restore: ${restored.output}`);
    },
  },
  {
    name: 'start',
    window: 'start',
    settings: { ORPHAN_GRACE: '0' },
    prepare: async (folder) => {
      await prepareSweep(folder);
      makeRunning(folder);
    },
  },
  {
    name: 'first start',
    window: 'start and act',
    settings: { SAMPLE_DATA: 'true', BOOTSTRAP_API_KEY: '' },
    prepare: async (folder) => {
      folder.ledger.results.clear();
      folder.ledger.started.clear();
      folder.ledger.tables.clear();
      await rm(folder.dataDir, { recursive: true });
    },
    act: async (client, folder) => {
      client.program.key = readKey(folder);
      const isOver = () => folder.inCatalog('SELECT handle FROM first_starts WHERE ended_at IS NOT NULL').length > 0;
      await untilOr(START_MS, () => client.isGone || isOver());
    },
    check: async (client, folder, issues) => {
      if (folder.inCatalog('SELECT id FROM queries').length !== 3) issues.add('lost', 'sample queries');
      if (folder.inCatalog('SELECT id FROM tables').length !== 4) issues.add('lost', 'sample tables');
      const { status } = await client.send('/query/1');
      if (status !== 200) issues.add('lost', 'the first key');
    },
  },
  {
    name: 'stop',
    window: 'stop',
    act: async (client, { ledger }) => {
      const { status, text } = await client.send('/sql/execute', { method: 'POST', body: { sql: LONG_SQL } });
      if (status !== 200) return;
      const { execution_id: id } = JSON.parse(text);
      ledger.started.add(id);
      await client.untilEnded(id, (state) => state === 'QUERY_STATE_EXECUTING');
    },
  },
];

function backupsIn(backups: string): string[] {
  const names = readdirSync(backups).filter((name) => name.endsWith('Z'));
  return names.toSorted().map((name) => join(backups, name));
}

const newestIn = (backups: string) => backupsIn(backups).at(-1) ?? '';
