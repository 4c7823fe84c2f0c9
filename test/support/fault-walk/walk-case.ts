import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { FailpointKind, FailpointName } from '../../../src/config/failpoints.js';
import { Program, type ProgramExit, untilNobodyWorksIn } from '../program.js';
import { type Issue, Issues } from './issue.js';
import { ABSENT } from './ledger.js';
import type { Operation } from './operations.js';
import type { PreparedFolder } from './prepared-folder.js';
import { readKey } from './starting-points.js';
import { untilOr, WalkClient } from './walk-client.js';

/** A failpoint that fires while an operation is at work. */
export interface WalkCase {
  readonly operation: Operation;
  readonly name: FailpointName;
  readonly kind: FailpointKind;
  readonly nth: number;
}

const END_MS = 40_000;
const SETTLE_MS = 15_000;

/** Runs a case on a copy of the folder, and returns what the service must not have done. */
export async function walkCase(prepared: PreparedFolder, walked: WalkCase): Promise<readonly Issue[]> {
  const folder = await prepared.copy();
  const walk = new Walk(folder, walked);
  try {
    await walked.operation.prepare?.(folder);
    await walk.disturb();
    if (walked.kind === 'crash') walked.operation.examine?.(folder, walked, walk.issues);
    await walked.operation.resume?.(folder, walk.issues);
    await walk.verify();
  } catch (error) {
    walk.issues.add('end', String((error as Error).stack));
  } finally {
    await walk.kill();
    await folder.remove();
  }
  return walk.issues.found;
}

class Walk {
  readonly issues = new Issues();
  readonly #programs: Program[] = [];

  constructor(
    private readonly folder: PreparedFolder,
    private readonly walked: WalkCase,
  ) {}

  /** Lets the operation meet its failpoint, and ends the program. */
  async disturb(): Promise<void> {
    const { operation, name, kind, nth } = this.walked;
    const words = operation.command?.(this.folder) ?? ['serve'];
    const fired = `failpoint ${name}@${nth}=${kind}`;
    const program = this.run(words, {
      TEST_FAILPOINT: fired.slice('failpoint '.length).replace(/@(\d+)=(\w+)/, '=$2@$1'),
    });
    if (operation.command === undefined && (await isListening(program))) {
      const client = new WalkClient(program, kind, this.issues, this.folder.ledger);
      await operation.act?.(client, this.folder);
      if (kind !== 'crash' && operation.window !== 'stop') await this.requireAtWork(client);
      program.signal('SIGTERM');
    }
    this.checkEnd(await this.endOf(program, words[0] ?? ''));
    if (!program.output.includes(`${fired}\n`)) this.issues.add('not fired', fired);
    await untilNobodyWorksIn(this.folder.path);
  }

  /** Starts the service again, and compares what it has with what it has acknowledged. */
  async verify(): Promise<void> {
    const { operation } = this.walked;
    const { dataDir, ledger } = this.folder;
    const program = this.run(['serve'], { ORPHAN_GRACE: '0' });
    if (!(await isListening(program))) return this.issues.add('end', `no start: ${program.output}`);
    if (operation.settings?.BOOTSTRAP_API_KEY === '') program.key = readKey(this.folder);
    const client = new WalkClient(program, undefined, this.issues, ledger);
    await this.requireAtWork(client);
    for (const id of ledger.started) {
      const state = await client.untilEnded(id);
      const isLost = this.walked.kind === 'crash' || ledger.results.has(id);
      const wanted = isLost ? /COMPLETED/ : /COMPLETED|FAILED/;
      if (!wanted.test(state)) this.issues.add('lost', `${id} is ${state}`);
    }
    for (const id of ledger.results.keys()) await client.read(id);
    for (const [table, allowed] of ledger.tables) {
      const rows = await this.rowsOf(client, table);
      if (!allowed.includes(rows)) this.issues.add('lost', `${table} has ${rows}`);
    }
    await operation.check?.(client, this.folder, this.issues);
    const { code } = await this.stop(program);
    if (code !== 0) this.issues.add('end', `exit code ${code}: ${program.output}`);
    for (const name of ['runs', 'staging', 'readers'])
      for (const left of await readdir(join(dataDir, name)).catch(() => []))
        if (!/^(child|warm-up)-/.test(left)) this.issues.add('left', `${name}/${left}`);
    const doctor = await this.endOf(this.run(['doctor'], {}), 'doctor');
    if (doctor.code !== 0) this.issues.add('doctor', doctor.output);
  }

  async kill(): Promise<void> {
    for (const program of this.#programs) await program.stop('SIGKILL');
    await untilNobodyWorksIn(this.folder.path);
  }

  private run(words: readonly string[], settings: Readonly<Record<string, string>>): Program {
    const { operation } = this.walked;
    const program = Program.run(words, { DATA_DIR: this.folder.dataDir, ...operation.settings, ...settings });
    this.#programs.push(program);
    return program;
  }

  /** No execution stays unfinished, and a new one completes. */
  private async requireAtWork(client: WalkClient): Promise<void> {
    const open = () =>
      this.folder.inCatalog("SELECT id, state FROM executions WHERE state IN ('PENDING', 'EXECUTING')");
    if (!(await untilOr(SETTLE_MS, () => client.isGone || open().length === 0)))
      this.issues.add('stuck', JSON.stringify(open()));
    if (client.isGone) {
      // A start that fails can do so after the service listens.
      const isStart = this.walked.operation.window === 'start and act';
      return isStart ? undefined : this.issues.add('end', `the service has ended: ${client.program.output}`);
    }
    if (this.walked.operation.settings?.BOOTSTRAP_API_KEY === '') return;
    const { status, text } = await client.send('/sql/execute', { method: 'POST', body: { sql: 'SELECT 42 AS n' } });
    const state = status === 200 ? await client.untilEnded(JSON.parse(text).execution_id) : `${status}`;
    if (!/COMPLETED/.test(state)) this.issues.add('stuck', `a new execution: ${state}`);
  }

  /** Rows of a table, in ascending order. */
  private async rowsOf(client: WalkClient, table: string): Promise<string> {
    if (this.folder.inCatalog(`SELECT id FROM tables WHERE name = '${table}'`).length === 0) return ABSENT;
    const sent = await client.send('/sql/execute', { method: 'POST', body: { sql: `SELECT n FROM ${table}` } });
    const { execution_id: id } = JSON.parse(sent.text);
    await client.untilEnded(id);
    const { text } = await client.send(`/execution/${id}/results/csv`);
    const rows = text.trim().split('\n').slice(1).map(Number);
    return rows.toSorted((a, b) => a - b).join('\n');
  }

  private checkEnd({ code, signal, output }: ProgramExit): void {
    const { kind, operation } = this.walked;
    if (kind === 'crash') {
      if (signal !== 'SIGKILL') this.issues.add('end', `no crash: ${output}`);
      return;
    }
    const isCommand = operation.command !== undefined || operation.window !== 'act';
    const isExpected = code === 0 || (code === 1 && isCommand && kind !== 'slow');
    const isClear = kind === 'fail' || !/^\s+at /m.test(output);
    if (!isExpected || !isClear) this.issues.add('end', `exit code ${code}: ${output}`);
  }

  private async stop(program: Program): Promise<ProgramExit> {
    program.signal('SIGTERM');
    return this.endOf(program, 'serve');
  }

  private async endOf(program: Program, what: string): Promise<ProgramExit> {
    const timer = new AbortController();
    const late = setTimeout(END_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    const exit = await Promise.race([program.exited, late]);
    timer.abort();
    if (exit) return exit;
    this.issues.add('end', `${what} does not end within ${END_MS} ms: ${program.output}`);
    return program.stop('SIGKILL');
  }
}

async function isListening(program: Program): Promise<boolean> {
  return program.untilListening().then(
    (url) => {
      program.url = url;
      return true;
    },
    () => false,
  );
}
