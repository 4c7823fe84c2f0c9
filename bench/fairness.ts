import { setTimeout } from 'node:timers/promises';
import { type Attack, attacksOn, type Targets } from './attacks.js';
import { BenchClient } from './client.js';
import { untilChildrenWait } from './executions.js';
import { type BenchServer, mixedQuery, report } from './support.js';

const MUST = 3;
/**
 * Longest time that the victim waits for an answer; after a second time the figure is not measured
 * further.
 */
const TIMEOUT_MS = 30_000;
const VICTIM_ROWS = 100_000;
/** Rows of the result that the attacker downloads, 120 MB as CSV. */
const CSV_ROWS = 1_000_000;
const PAGE_ROWS = 30_000;

/** A request that the victim repeats. */
interface Measured {
  readonly name: string;
  readonly times: number;
  /** Time between two requests: a victim is no load of its own. */
  readonly pauseMs: number;
  /** @returns how long it took. */
  readonly request: (victim: BenchClient) => Promise<number>;
}

/**
 * How long the requests of one account take while another one attacks, against the time that they
 * take without.
 */
export async function benchFairness(server: BenchServer): Promise<void> {
  const victim = new BenchClient(server.url, await server.addAccount('victim', 'free'), TIMEOUT_MS);
  const attacker = new BenchClient(server.url, await server.addAccount('attacker', 'premium'));
  const measured = await whatVictimDoes(victim);
  try {
    for (const attack of attacksOn(await makeTargets(server)))
      await benchAttack(server, attack, { victim, attacker, measured });
  } finally {
    victim.close();
    attacker.close();
  }
}

async function whatVictimDoes(victim: BenchClient): Promise<Measured[]> {
  const rowsOf = (count: number) => `SELECT range AS n, md5(range::VARCHAR) AS hash FROM range(${count})`;
  const large = await victim.run(rowsOf(VICTIM_ROWS));
  const small = await victim.run(rowsOf(100));
  const page = () => {
    const offset = Math.floor(Math.random() * (VICTIM_ROWS - 100));
    return `/execution/${large.executionId}/results?limit=100&offset=${offset}`;
  };
  const read = async (client: BenchClient, path: string) => (await client.get(path)).elapsedMs;
  return [
    { name: '100-row page', times: 60, pauseMs: 50, request: (client) => read(client, page()) },
    {
      name: '100-row result as CSV',
      times: 60,
      pauseMs: 50,
      request: (client) => read(client, `/execution/${small.executionId}/results/csv`),
    },
    {
      name: '`SELECT 1`',
      times: 40,
      pauseMs: 400,
      request: async (client) => (await client.run('SELECT 1', 10)).elapsedMs,
    },
  ];
}

async function benchAttack(
  server: BenchServer,
  attack: Attack,
  { victim, attacker, measured }: { victim: BenchClient; attacker: BenchClient; measured: readonly Measured[] },
): Promise<void> {
  await untilChildrenWait(server);
  const quiet = await measureAll(victim, measured);
  const end = await attack.begin(attacker);
  try {
    const attacked = await measureAll(victim, measured);
    measured.forEach(({ name }, index) => {
      const [mine = Number.NaN, alone = Number.NaN] = [attacked[index], quiet[index]];
      const detail = `p95 ${toText(mine)} against ${toText(alone)}`;
      const ratio = Number.isFinite(mine) ? `${(mine / alone).toFixed(2)} x` : 'no answer';
      report(`${name} during ${attack.name}`, ratio, `at most ${MUST} x`, detail);
    });
  } finally {
    await end();
  }
}

async function measureAll(victim: BenchClient, measured: readonly Measured[]): Promise<number[]> {
  const figures: number[] = [];
  for (const one of measured) figures.push(await measure(victim, one));
  return figures;
}

/** The time within which 95 % of the requests are answered; infinite if two are not. */
async function measure(victim: BenchClient, { times, pauseMs, request }: Measured): Promise<number> {
  await request(victim).catch(() => {});
  const figures: number[] = [];
  const unanswered = () => figures.filter((figure) => figure === Number.POSITIVE_INFINITY).length;
  while (figures.length < times && unanswered() < 2) {
    figures.push(await request(victim).catch(() => Number.POSITIVE_INFINITY));
    await setTimeout(pauseMs);
  }
  if (unanswered() > 1) return Number.POSITIVE_INFINITY;
  return figures.sort((a, b) => a - b)[Math.ceil(0.95 * figures.length) - 1] ?? Number.NaN;
}

/** Makes the public results that the attacker reads. */
async function makeTargets(server: BenchServer): Promise<Targets> {
  const publish = async (name: string, sql: string) => {
    const body = JSON.stringify({ name, query_sql: sql, is_private: false });
    const { query_id: queryId } = await server.post<{ query_id: number }>('/query', body);
    const { execution_id: id } = await server.post<{ execution_id: string }>(`/query/${queryId}/execute`, '');
    await server.untilCompleted(id, 20);
    return `/execution/${id}/results`;
  };
  const csv = await publish('rows', mixedQuery(CSV_ROWS));
  const page = await publish(
    'wide rows',
    `SELECT range AS n, repeat(md5(range::VARCHAR), 25) AS text FROM range(${2 * PAGE_ROWS})`,
  );
  return { csv: `${csv}/csv`, page: `${page}?limit=${PAGE_ROWS}` };
}

function toText(milliseconds: number): string {
  return Number.isFinite(milliseconds) ? `${milliseconds.toFixed(0)} ms` : `over ${TIMEOUT_MS / 1_000} s`;
}
