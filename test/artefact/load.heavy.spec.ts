import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Program, untilNobodyWorksIn } from '../support/program.js';

const CLIENTS = 200;
const REQUESTS_PER_CLIENT = 2;
const EXECUTIONS = 30;
const ROWS = 20_000;
const PAGE = 500;
/** What the heap of Node may take before it collects garbage. */
const MAX_GROWTH_MEGABYTES = 100;

describe('200 clients that poll and read while executions run', () => {
  let dataDir: string;
  let program: Program;
  let resultId: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'eider-load-'));
    program = await Program.serve({ DATA_DIR: dataDir, WORKERS: '2' });
    resultId = await program.execute(`SELECT range AS n, 'row ' || range AS text FROM range(${ROWS})`);
    await program.untilEnded(resultId);
  });
  afterAll(async () => {
    await program.stop('SIGKILL');
    await untilNobodyWorksIn(dataDir);
    await rm(dataDir, { recursive: true });
  });

  /** Resident memory of the service itself, without its children. */
  async function residentMegabytes(): Promise<number> {
    const status = await readFile(`/proc/${program.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }

  /** One request of a client, by its turn: a poll, a page, or a download. */
  async function request(client: number, turn: number, executions: readonly string[]): Promise<void> {
    const number = client + turn;
    if (number % 2 === 0) {
      const status = await program.status(executions[number % executions.length] ?? '');
      expect(status).toHaveProperty('state');
    } else if (number % 10 === 1) {
      const response = await program.fetch(`/execution/${resultId}/results/csv?columns=n`);
      expect((await response.text()).split('\n')).toHaveLength(ROWS + 2);
    } else {
      const offset = (number * PAGE) % ROWS;
      const response = await program.fetch(`/execution/${resultId}/results?limit=${PAGE}&offset=${offset}`);
      const { result } = (await response.json()) as { result: { rows: { n: number }[] } };
      expect([result.rows.length, result.rows[0]?.n]).toEqual([PAGE, offset]);
    }
  }

  async function runClients(executions: readonly string[]): Promise<void> {
    const client = async (number: number) => {
      for (let turn = 0; turn < REQUESTS_PER_CLIENT; turn++) await request(number, turn, executions);
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  }

  it('are all answered, every execution completes, and the memory stays', async () => {
    await runClients([resultId]);
    const before = await residentMegabytes();
    const executions = await Promise.all(
      Array.from({ length: EXECUTIONS }, (_, index) => program.execute(`SELECT sum(range) AS n FROM range(${index})`)),
    );
    await runClients(executions);
    for (const id of executions) {
      expect(await program.untilEnded(id)).toMatchObject({ state: 'QUERY_STATE_COMPLETED' });
    }
    expect((await residentMegabytes()) - before).toBeLessThan(MAX_GROWTH_MEGABYTES);
  });
});
