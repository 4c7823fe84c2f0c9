import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Plan } from '../../src/auth/account.js';
import { MAX_PASSES } from '../../src/executions/execution-queue.js';
import { findChildren } from '../support/child-processes.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { ENDLESS } from '../support/wire.js';

/** Executions of several accounts on one server, which {@link Runs.cancelAll} ends. */
class Runs {
  private readonly started: { id: string; key: string }[] = [];

  private constructor(readonly server: TestServer) {}

  static async start(settings: Record<string, string>): Promise<Runs> {
    return new Runs(await TestServer.start({ WORKER_MEMORY: '128MB', ...settings }));
  }

  keyOf(handle: string, plan: Plan = 'premium'): Promise<string> {
    return this.server.givenKey(handle, { plan });
  }

  async execute(key: string, sql = ENDLESS, performance = 'medium'): Promise<string> {
    const { body } = await this.server.post('/sql/execute', { sql, performance }, key);
    this.started.unshift({ id: body.execution_id, key });
    return body.execution_id;
  }

  async untilExecuting(key: string, ...ids: string[]): Promise<void> {
    for (const id of ids) await this.server.untilStatus(id, ({ state }) => state === 'QUERY_STATE_EXECUTING', key);
  }

  async cancel(key: string, id: string): Promise<void> {
    expect((await this.server.post(`/execution/${id}/cancel`, undefined, key)).body).toEqual({ success: true });
  }

  /** The state of an execution, and its position in the queue. */
  async status(key: string, id: string) {
    const { state, queue_position } = (await this.server.get(`/execution/${id}/status`, {}, key)).body;
    return { state, queue_position };
  }

  async cancelAll(): Promise<void> {
    for (const { id, key } of this.started.splice(0)) await this.server.post(`/execution/${id}/cancel`, undefined, key);
  }
}

function threadsOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).map(Number);
}

const WAITING_FIRST = { state: 'QUERY_STATE_PENDING', queue_position: 1 };

describe('executions of two accounts on two workers', () => {
  let runs: Runs;

  beforeAll(async () => {
    runs = await Runs.start({ WORKERS: '2' });
  });
  afterEach(() => runs.cancelAll());
  afterAll(() => stopWithoutLeaks(runs.server));

  it.each(['medium', 'large'])(
    'run beside each other, however many endless %s ones the first starts',
    async (performance) => {
      const [attacker, victim] = [await runs.keyOf('attacker'), await runs.keyOf('victim')];
      const first = await runs.execute(attacker, ENDLESS, performance);
      const second = await runs.execute(attacker, ENDLESS, performance);
      await runs.untilExecuting(attacker, first);
      for (let run = 0; run < 3; run += 1) await runs.server.givenResult('SELECT 1', victim);
      expect(await runs.status(attacker, second)).toEqual(WAITING_FIRST);
      await runs.cancel(attacker, first);
      await runs.untilExecuting(attacker, second);
    },
  );

  it('give way to short ones once they have run for long', async () => {
    const attacker = await runs.keyOf('attacker');
    await runs.untilExecuting(attacker, await runs.execute(attacker));
    await until(() => findChildren('run.child').some((pid) => threadsOf(pid).some((id) => getPriority(id) >= 15)));
  });

  it('can be large beside a large one', async () => {
    const [attacker, victim] = [await runs.keyOf('attacker'), await runs.keyOf('victim')];
    await runs.untilExecuting(attacker, await runs.execute(attacker, ENDLESS, 'large'));
    await runs.untilExecuting(victim, await runs.execute(victim, ENDLESS, 'large'));
  });
});

describe('the worker slots of an account', () => {
  let runs: Runs;

  beforeAll(async () => {
    runs = await Runs.start({ WORKERS: '4' });
  });
  afterEach(() => runs.cancelAll());
  afterAll(() => stopWithoutLeaks(runs.server));

  it.each([
    { plan: 'free' as const, count: 1 },
    { plan: 'premium' as const, count: 3 },
  ])('are $count of 4 on the plan $plan', async ({ plan, count }) => {
    const key = await runs.keyOf(`on_${plan}`, plan);
    const ids: string[] = [];
    for (let run = 0; run <= count; run += 1) ids.push(await runs.execute(key));
    await runs.untilExecuting(key, ...ids.slice(0, count));
    expect(await runs.status(key, ids[count] ?? '')).toEqual(WAITING_FIRST);
    await runs.server.givenResult('SELECT 1');
    await runs.cancel(key, ids[0] ?? '');
    await runs.untilExecuting(key, ids[count] ?? '');
  });
});

describe('a large execution that waits for two slots', () => {
  let runs: Runs;
  let keys: { a: string; b: string; c: string; d: string };

  beforeEach(async () => {
    runs = await Runs.start({ WORKERS: '3' });
    const [a = '', b = '', c = '', d = ''] = await Promise.all(
      ['a', 'b', 'c', 'd'].map((handle) => runs.keyOf(handle)),
    );
    keys = { a, b, c, d };
  });
  afterEach(() => stopWithoutLeaks(runs.server));

  /**
   * One slot is in use, a large execution waits for the two others that are shared, and was passed
   * as often as may be.
   */
  async function givenPassedLarge(): Promise<{ running: string; large: string; kept: string }> {
    const running = await runs.execute(keys.a);
    await runs.untilExecuting(keys.a, running);
    const large = await runs.execute(keys.b, ENDLESS, 'large');
    for (let pass = 0; pass < MAX_PASSES; pass += 1) await runs.server.givenResult('SELECT 1', keys.c);
    expect(await runs.status(keys.b, large)).toEqual(WAITING_FIRST);
    const kept = await runs.execute(keys.d);
    await runs.untilExecuting(keys.d, kept);
    return { running, large, kept };
  }

  it('is passed a bounded number of times, then gets the next slots', async () => {
    const { running, large, kept } = await givenPassedLarge();
    const later = await runs.execute(keys.c, 'SELECT 1');
    expect(await runs.status(keys.c, later)).toEqual({ state: 'QUERY_STATE_PENDING', queue_position: 2 });
    await runs.cancel(keys.a, running);
    await runs.untilExecuting(keys.b, large);
    expect(await runs.status(keys.c, later)).toEqual(WAITING_FIRST);
    await runs.cancel(keys.d, kept);
    expect((await runs.server.untilEnded(later, keys.c)).body.state).toBe('QUERY_STATE_COMPLETED');
  });

  it('leaves its place to those after it at once when it is cancelled', async () => {
    const { large } = await givenPassedLarge();
    const later = await runs.execute(keys.c, 'SELECT 1');
    expect(await runs.status(keys.c, later)).toEqual({ state: 'QUERY_STATE_PENDING', queue_position: 2 });
    await runs.cancel(keys.b, large);
    expect((await runs.server.untilEnded(later, keys.c)).body.state).toBe('QUERY_STATE_COMPLETED');
  });
});

describe('the queue of two accounts', () => {
  let runs: Runs;

  beforeAll(async () => {
    runs = await Runs.start({ WORKERS: '1', MAX_QUEUED_PER_ACCOUNT: '5', MAX_QUEUED: '6' });
  });
  afterEach(() => runs.cancelAll());
  afterAll(() => stopWithoutLeaks(runs.server));

  /** Executes until it is refused; gives how many were accepted, and the error. */
  async function fill(
    key: string,
  ): Promise<{ accepted: number; refused: { status: number; code: string; retryAfter: number } }> {
    for (let accepted = 0; ; accepted += 1) {
      const { status, body, headers } = await runs.server.post('/sql/execute', { sql: ENDLESS }, key);
      if (status !== 200) {
        return { accepted, refused: { status, code: body.code, retryAfter: Number(headers.get('retry-after')) } };
      }
    }
  }

  it('has room for the first execution of an account however many another has submitted', async () => {
    const [attacker, victim, third] = [
      await runs.keyOf('attacker'),
      await runs.keyOf('victim'),
      await runs.keyOf('third'),
    ];
    const filled = await fill(attacker);
    expect(filled).toEqual({ accepted: 6, refused: { status: 429, code: 'account_queue_full', retryAfter: 5 } });
    expect((await fill(victim)).refused).toEqual({ status: 429, code: 'queue_full', retryAfter: 5 });
    expect(await fill(third)).toEqual({ accepted: 1, refused: { status: 429, code: 'queue_full', retryAfter: 5 } });
  });
});
