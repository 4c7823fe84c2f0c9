import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Attack, type Expectation, readAttacks } from '../../../test/support/engine/attack-corpus.js';
import { givenSampleTables, type SampleTables } from '../../../test/support/engine/sample-tables.js';
import { type UngatedEnding, UngatedEngine } from '../../../test/support/engine/ungated-engine.js';
import { RunFolder } from './run-folder.js';

const MEGABYTE = 2 ** 20;
const LIMITS = {
  memoryBytes: 100 * MEGABYTE,
  threads: 2,
  timeoutMs: 10_000,
  maxResultBytes: 50 * MEGABYTE,
  maxSpillBytes: 50 * MEGABYTE,
};
/**
 * Time limit of the statements that are made to exceed a limit; the others get as much as they
 * need.
 */
const IMPATIENT_MS = 300;
const PATIENT_MS = 30_000;
const AT_A_TIME = 2;

/** These the gate refuses, too, and nothing but time stops them then. */
const ONLY_TIME_STOPS = ['cpu-pg-sleep', 'cpu-sleep'];
/** Stopped by what a run does around the statement: it counts the columns of the result. */
const STOPPED_LATER = ['result-wide'];

let folder: string;
let samples: SampleTables;
/** All but the bombs of `more-attacks.json`: those of `attacks.json` show what the limits stop. */
let attacks: Attack[];
let endings: Map<string, UngatedEnding>;
let otherFiles: Buffer[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eider-ungated-'));
  samples = await givenSampleTables(folder);
  attacks = readAttacks(samples.placeholders).filter(({ name }) => !name.startsWith('bomb-'));
  await mkdir(join(folder, 'runs'));
  otherFiles = await readOtherFiles();
  endings = await attemptAll();
}, 120_000);

afterAll(() => rm(folder, { recursive: true }));

/** The files of the account that must not be seen. */
async function readOtherFiles(): Promise<Buffer[]> {
  const other = join(folder, 'data/B');
  return Promise.all((await readdir(other)).sort().map((name) => readFile(join(other, name))));
}

async function attemptAll(): Promise<Map<string, UngatedEnding>> {
  const found = new Map<string, UngatedEnding>();
  const queue = [...attacks];
  const worker = async () => {
    const engine = new UngatedEngine(join(folder, 'runs'), LIMITS);
    for (let attack = queue.shift(); attack; attack = queue.shift())
      found.set(attack.name, await attempt(attack, engine));
    await engine.renew();
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return found;
}

async function attempt(attack: Attack, engine: UngatedEngine): Promise<UngatedEnding> {
  const runFolder = await RunFolder.create(join(folder, 'runs'), attack.name);
  const tables = await runFolder.linkTables(samples.tables);
  const parameters: Record<string, string> = attack.name === 'params-injection' ? { n: '10' } : {};
  const job = { folder: runFolder.path, sql: attack.sql, parameters, ...LIMITS };
  const isHeavy = mayEndAs(attack, 'limited', 'timeout');
  // What others have used up is not to stop it.
  if (isHeavy) await engine.renew();
  const isImpatient = isHeavy || attack.name.startsWith('cpu-');
  const attempted = () => engine.run({ job, tables }, isImpatient ? IMPATIENT_MS : PATIENT_MS);
  let ending = await attempted();
  // Of the memory that earlier statements of the child have used up.
  if (!isHeavy && ending.kind === 'stopped' && ending.isOutOfMemory) {
    await engine.renew();
    ending = await attempted();
  }
  await runFolder.remove();
  return ending;
}

function mayEndAs({ expect: expected, also = [] }: Attack, ...ends: Expectation[]): boolean {
  return ends.some((end) => [expected, ...also].includes(end));
}

function namesOf(ending: UngatedEnding['kind'], isMeant: (attack: Attack) => boolean): string[] {
  const names = attacks.filter(isMeant).map(({ name }) => name);
  return names.filter((name) => endings.get(name)?.kind === ending).sort();
}

describe('the attack corpus without the statement gate', () => {
  it('runs as a whole', () => {
    expect(attacks.length).toBeGreaterThan(100);
    expect([...endings.keys()].sort()).toEqual(attacks.map(({ name }) => name).sort());
  });

  it('fails: of what is to end with an error, these pass, or end only by time', () => {
    const isRefused = (attack: Attack) => attack.expect === 'error';
    expect(namesOf('passed', isRefused)).toEqual(
      attacks.flatMap(({ name, onlyGate }) => (onlyGate ? [name] : [])).sort(),
    );
    const isRefusedOnly = (attack: Attack) => isRefused(attack) && !mayEndAs(attack, 'timeout');
    expect(namesOf('timeout', isRefusedOnly)).toEqual(ONLY_TIME_STOPS);
  });

  it('does not pass where limits of memory, depth, disk and time are to stop it: the gate is not what does', () => {
    const isLimited = (attack: Attack) => !mayEndAs(attack, 'ok', 'error') && !STOPPED_LATER.includes(attack.name);
    expect(namesOf('passed', isLimited)).toEqual([]);
  });

  it('passes where it is to pass', () => {
    const isHarmless = (attack: Attack) => attack.expect === 'ok' && !mayEndAs(attack, 'limited', 'timeout');
    const names = attacks.filter(isHarmless).map(({ name }) => name);
    expect(namesOf('passed', isHarmless)).toEqual(names.sort());
  });

  it("neither reads nor changes another account's files: the locked settings hold by themselves", async () => {
    const told = [...endings.values()].filter((ending) => ending.kind === 'passed').map(({ text }) => text);
    expect(told.filter((text) => text.includes('top secret'))).toEqual([]);
    expect(await readOtherFiles()).toEqual(otherFiles);
  });
});
