import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Attack, type Expectation, readAttacks } from '../../../test/support/engine/attack-corpus.js';
import { givenSampleTables, type SampleTables } from '../../../test/support/engine/sample-tables.js';
import type { Connection } from '../../duckdb/connection/connection.js';
import { RefusedStatementError } from './child/gate/refused-statement-error.js';
import { gateStatement } from './child/gate/statement-gate.js';
import { openSandbox } from './child/sandbox.js';
import { DuckDbEngine, type RunClass } from './duckdb-engine.js';
import type { RunOutcome } from './run.js';

const MEGABYTE = 2 ** 20;

/**
 * The corpus expects limits in these relations; statements that must finish get the time for it.
 */
const PATIENT: RunClass = {
  memoryBytes: 200 * MEGABYTE,
  threads: 2,
  timeoutMs: 60_000,
  maxResultBytes: 50 * MEGABYTE,
  maxSpillBytes: 200 * MEGABYTE,
  readyChildren: 2,
};
const IMPATIENT: RunClass = { ...PATIENT, timeoutMs: 300, readyChildren: 1 };

const AT_A_TIME = 2;

let folder: string;
let samples: SampleTables;
let engine: DuckDbEngine;
let gate: Connection;
let sourceHashes: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eider-attacks-'));
  samples = await givenSampleTables(folder);
  sourceHashes = await hashSources();
  engine = new DuckDbEngine({
    runsFolder: join(folder, 'runs'),
    runsPerChild: 100,
    classes: { medium: PATIENT, large: IMPATIENT },
  });
  await engine.open();
  gate = await openSandbox();
});

afterAll(async () => {
  gate.close();
  await engine.close();
  await rm(folder, { recursive: true });
});

async function hashSources(): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const path of [
    'A/orders.parquet',
    'A/customers.parquet',
    'B/secret.parquet',
    'B/secret.csv',
    'B/secret.json',
    'B/secret.duckdb',
  ]) {
    hashes[path] = createHash('sha256')
      .update(await readFile(join(folder, 'data', path)))
      .digest('hex');
  }
  return hashes;
}

function classify(outcome: RunOutcome): Expectation {
  if (outcome.kind === 'completed') return outcome.result.isTruncated ? 'limited' : 'ok';
  if (outcome.kind === 'lost') return 'limited';
  if (outcome.kind === 'cancelled') throw new Error('The run was cancelled');
  const { type, message } = outcome.failure;
  if (type === 'FAILED_TYPE_TIMEOUT') return 'timeout';
  if (type === 'FAILED_TYPE_OUT_OF_MEMORY' || type === 'FAILED_TYPE_RESULT_TOO_LARGE') return 'limited';
  return /\blimit\b/i.test(message) ? 'limited' : 'error';
}

/** What a run may leave in its folder until it is disposed of. */
function isExpectedEntry(path: string): boolean {
  return /^(in|out|tmp)$|^in\/\d+\.parquet$|^out\/r\.parquet$|^tmp\/duckdb_temp_[^/]*$/.test(path);
}

interface Report {
  readonly ending: Expectation;
  readonly text: string;
  readonly entries: readonly string[];
}

/**
 * The report of the gate for a statement that it must reject. A run child passes a statement to the
 * same gate first, so that one that is rejected here needs no process.
 */
async function rejectionOf({ sql, expect: expected, also }: Attack): Promise<Report | undefined> {
  if (expected !== 'error' || also) return undefined;
  const error = await gateStatement(gate, sql, { n: '10', p: '/etc/passwd' }).catch((reason: unknown) => reason);
  return error instanceof RefusedStatementError ? { ending: 'error', text: error.message, entries: [] } : undefined;
}

/**
 * Runs an attack between two canaries: statements of the same author, that run in the same process
 * if it survives.
 */
async function attempt(attack: Attack, authorId: string): Promise<Report> {
  await expectCanary(authorId);
  const report = await runAttack(attack, authorId);
  await expectCanary(authorId);
  return report;
}

/** What one attack leaves behind must not change what the next statement sees. */
async function expectCanary(authorId: string): Promise<void> {
  const run = engine.start({
    executionId: `canary-${authorId}`,
    authorId,
    sql: 'SELECT $n AS n FROM orders HAVING count(*) = 100000 AND sum(id) = 4999950000',
    resourceClass: 'medium',
    parameters: { n: '1' },
    resolveTables: samples.resolveTables,
  });
  const outcome = await run.outcome;
  await run.dispose();
  expect(outcome).toMatchObject({ kind: 'completed', result: { rowCount: 1 } });
}

async function runAttack({ sql, name, expect: expected, also = [] }: Attack, authorId: string): Promise<Report> {
  const run = engine.start({
    authorId,
    executionId: name,
    sql,
    resourceClass: [expected, ...also].includes('timeout') ? 'large' : 'medium',
    parameters: name === 'params-injection' ? { n: "'; drop table orders; --" } : { n: '10', p: '/etc/passwd' },
    resolveTables: samples.resolveTables,
  });
  const outcome = await run.outcome;
  const [runFolder] = (await readdir(join(folder, 'runs'))).filter(
    (each) => each.startsWith(`${name}-`) && each.length === name.length + 7,
  );
  const entries = runFolder ? await readdir(join(folder, 'runs', runFolder), { recursive: true }) : [];
  await run.dispose();
  const text = outcome.kind === 'failed' ? outcome.failure.message : outcome.kind;
  return { ending: classify(outcome), text, entries };
}

function faultsOf({ sql, expect: expected, also = [] }: Attack, { ending, text, entries }: Report): string[] {
  const paths = text.match(/(?<![\w./:])\/[a-z][\w.-]*\/[^\s"']*/gi) ?? [];
  return [
    ...([expected, ...also].includes(ending) ? [] : [`ended as ${ending}, not ${expected}: ${text}`]),
    ...entries.filter((entry) => !isExpectedEntry(entry)).map((entry) => `left ${entry}`),
    ...paths.filter((path) => !sql.includes(path)).map((path) => `told the path ${path}`),
  ];
}

describe('the attack corpus', () => {
  it('ends every statement as expected, and leaves and tells nothing', async () => {
    const attacks = readAttacks(samples.placeholders);
    const faults: Record<string, string[]> = {};
    const queue = [...attacks];
    const worker = async (_: unknown, index: number) => {
      for (let attack = queue.shift(); attack; attack = queue.shift()) {
        const report = (await rejectionOf(attack)) ?? (await attempt(attack, `author-${index}`));
        const found = faultsOf(attack, report);
        if (found.length > 0) faults[attack.name] = found;
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    expect(faults).toEqual({});
    expect(attacks.length).toBeGreaterThan(100);
    expect(await hashSources()).toEqual(sourceHashes);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    expect(await readdir(join(folder, 'runs'))).toEqual([]);
  }, 300_000);
});
