import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { SetClock } from '../support/set-clock.js';
import { ENDLESS, expectNoNullKeys, INSTANT } from '../support/wire.js';

const DAY = 86_400;

describe('GET /v1/executions', () => {
  const clock = new SetClock(new Date());
  let server: TestServer;
  let ada: string;
  let other: string;
  let query: number;
  let othersQuery: number;
  /** Of ada, oldest first. */
  const ids: Record<'expired' | 'named' | 'direct' | 'failed' | 'foreign' | 'executing' | 'pending', string> = {
    expired: '',
    named: '',
    direct: '',
    failed: '',
    foreign: '',
    executing: '',
    pending: '',
  };
  let since: Date;

  beforeAll(async () => {
    server = await TestServer.start({ RESULT_RETENTION_DAYS: '30', MAX_QUEUED_PER_ACCOUNT: '200' }, { clock });
    ada = await server.givenKey('ada');
    other = await server.givenKey('other');
    query = await server.givenQuery("SELECT '{{a}}' AS a", { name: 'First' }, ada);
    othersQuery = await server.givenQuery('SELECT 1 AS a', { name: 'Of another' }, other);
    ids.expired = await server.givenExecution(query, { query_parameters: { a: 'x' } }, ada);
    clock.advance({ seconds: 31 * DAY });
    since = clock.now();
    await server.patch(`/query/${query}`, { name: 'Second', query_sql: "SELECT '{{a}}' AS b" }, ada);
    ids.named = await server.givenExecution(query, { query_parameters: { a: ['x', 'y'] } }, ada);
    ids.direct = await server.givenResult('SELECT range AS n FROM range(7)', ada);
    ids.failed = (await server.post('/sql/execute', { sql: 'SELECT nothing' }, ada)).body.execution_id;
    await server.untilEnded(ids.failed, ada);
    clock.advance({ seconds: 60 });
    ids.foreign = await server.givenExecution(othersQuery, {}, ada);
    ids.executing = (await server.post('/sql/execute', { sql: ENDLESS }, ada)).body.execution_id;
    await server.untilStatus(ids.executing, ({ state }) => state === 'QUERY_STATE_EXECUTING', ada);
    ids.pending = (await server.post('/sql/execute', { sql: 'SELECT 1' }, ada)).body.execution_id;
    await server.givenQuery('SELECT 1', {}, other);
    const ofOther = await server.post(`/query/${query}/execute`, { query_parameters: { a: 'z' } }, other);
    await server.post(`/execution/${ofOther.body.execution_id}/cancel`, undefined, other);
  });
  afterAll(async () => {
    await server.post(`/execution/${ids.executing}/cancel`, undefined, ada);
    await server.untilEnded(ids.pending, ada);
    await stopWithoutLeaks(server);
  });

  const list = async (filter: Record<string, string | number> = {}, key = ada) =>
    (await server.get('/executions', filter, key)).body;
  const idsOf = async (filter: Record<string, string | number>) =>
    (await list(filter)).executions.map((one: { execution_id: string }) => one.execution_id);

  it("lists the account's own, newest first, with just the fields that apply", async () => {
    const body = await list();
    expectNoNullKeys(body);
    const begun = { execution_started_at: INSTANT };
    const ended = { ...begun, execution_ended_at: INSTANT, execution_time_millis: expect.any(Number) };
    const common = { trigger: 'api', submitted_by: 'test', submitted_at: INSTANT };
    const ofQuery = { ...common, query_id: query, query_name: 'Second' };
    const direct = { ...common, query_id: 0 };
    const stored = { state: 'QUERY_STATE_COMPLETED', row_count: 1, result_set_bytes: expect.any(Number) };
    expect(body).toEqual({
      total: 7,
      executions: [
        { ...direct, execution_id: ids.pending, state: 'QUERY_STATE_PENDING' },
        { ...direct, ...begun, execution_id: ids.executing, state: 'QUERY_STATE_EXECUTING' },
        {
          ...common,
          ...ended,
          ...stored,
          execution_id: ids.foreign,
          query_id: othersQuery,
          query_name: 'Of another',
          query_version: 1,
        },
        {
          ...direct,
          ...ended,
          execution_id: ids.failed,
          state: 'QUERY_STATE_FAILED',
          error: { type: 'FAILED_TYPE_EXECUTION_FAILED', message: expect.stringContaining('nothing') },
        },
        { ...direct, ...ended, ...stored, execution_id: ids.direct, row_count: 7, result_set_bytes: 56 },
        {
          ...ofQuery,
          ...ended,
          ...stored,
          execution_id: ids.named,
          query_version: 2,
          query_parameters: { a: 'x,y' },
        },
        {
          ...ofQuery,
          ...ended,
          execution_id: ids.expired,
          state: 'QUERY_STATE_EXPIRED',
          query_version: 1,
          query_parameters: { a: 'x' },
        },
      ],
    });
  });

  it("shows nobody another account's", async () => {
    const body = await list({}, other);
    expect([body.total, body.executions.map((one: { state: string }) => one.state)]).toEqual([
      1,
      ['QUERY_STATE_CANCELLED'],
    ]);
    expect(body.executions[0]).toMatchObject({ query_id: query, query_name: 'Second' });
    expect(await list({}, await server.givenKey('third'))).toEqual({ executions: [], total: 0 });
  });

  it('keeps back the name of a query that has become private', async () => {
    await server.post(`/query/${othersQuery}/private`, undefined, other);
    const { executions } = await list({ query_id: othersQuery });
    expect(executions).toEqual([expect.not.objectContaining({ query_name: expect.anything() })]);
    await server.post(`/query/${othersQuery}/unprivate`, undefined, other);
  });

  it('is narrowed by query, state, trigger and instant, alone and together', async () => {
    const { expired, named, direct, failed, foreign, executing, pending } = ids;
    expect(await idsOf({ query_id: query })).toEqual([named, expired]);
    expect(await idsOf({ query_id: 0 })).toEqual([pending, executing, failed, direct]);
    expect(await idsOf({ query_id: 999_999_999_999 })).toEqual([]);
    expect(await idsOf({ state: 'QUERY_STATE_COMPLETED' })).toEqual([foreign, direct, named]);
    expect(await idsOf({ state: 'QUERY_STATE_EXPIRED' })).toEqual([expired]);
    expect(await idsOf({ state: 'QUERY_STATE_PENDING' })).toEqual([pending]);
    expect(await idsOf({ trigger: 'api', query_id: query, state: 'QUERY_STATE_COMPLETED' })).toEqual([named]);
    expect(await idsOf({ trigger: 'cli' })).toEqual([]);
    expect(await idsOf({ since: since.toISOString() })).toHaveLength(6);
    expect(await idsOf({ since: new Date(since.getTime() + 1_000).toISOString() })).toEqual([
      pending,
      executing,
      foreign,
    ]);
    expect(await idsOf({ since: '1969-07-20' })).toHaveLength(7);
    expect(await list({ since: '2999-01-01' })).toEqual({ executions: [], total: 0 });
  });

  it('gives pages that add up, with the total of what matches', async () => {
    const found: string[] = [];
    let offset: number | undefined = 0;
    for (let page = 0; offset !== undefined; page += 1) {
      const body: any = await list({ limit: 3, offset });
      expect([body.total, body.executions.length]).toEqual([7, [3, 3, 1][page]]);
      found.push(...body.executions.map((one: { execution_id: string }) => one.execution_id));
      offset = body.next_offset;
    }
    expect(found).toEqual(Object.values(ids).reverse());
    expect(await list({ limit: 1, state: 'QUERY_STATE_COMPLETED' })).toMatchObject({ total: 3, next_offset: 1 });
    expect(await list({ limit: 3, state: 'QUERY_STATE_COMPLETED' })).not.toHaveProperty('next_offset');
    expect(await list({ offset: 99 })).toEqual({ executions: [], total: 7 });
  });

  it('lists 20 when no limit is given, and at most 100', async () => {
    const key = await server.givenKey('many');
    for (let count = 0; count < 101; count += 1) await server.post('/sql/execute', { sql: 'SELECT 1' }, key);
    expect(await list({}, key)).toMatchObject({ executions: { length: 20 }, next_offset: 20, total: 101 });
    expect(await list({ limit: 500 }, key)).toMatchObject({
      executions: { length: 100 },
      next_offset: 100,
      total: 101,
    });
    const pending = (await list({ limit: 500 }, key)).executions;
    const last = (await list({ offset: 100 }, key)).executions;
    for (const { execution_id } of [...pending, ...last]) {
      await server.post(`/execution/${execution_id}/cancel`, undefined, key);
    }
  });

  it.each<[Record<string, string>, string]>([
    [{ limit: '0' }, 'limit: must be at least 1'],
    [{ offset: '-1' }, 'offset: must be at least 0'],
    [{ query_id: 'x' }, 'query_id: must be a whole number'],
    [{ state: 'COMPLETED' }, 'state: must be one of QUERY_STATE_PENDING, QUERY_STATE_EXECUTING'],
    [{ trigger: 'mail' }, 'trigger: must be one of console, api, schedule, cli'],
    [{ since: 'yesterday' }, 'since: must be an instant such as 2026-03-01T10:20:30Z'],
    [{ since: '2026-02-31T00:00:00Z' }, 'since: must be an instant such as 2026-03-01T10:20:30Z'],
    [{ since: '2026-03-01T10:20:30' }, 'since: must be an instant such as 2026-03-01T10:20:30Z'],
  ])('refuses %j', async (filter, sentence) => {
    const { status, body } = await server.get('/executions', filter, ada);
    expect([status, body.error]).toEqual([400, expect.stringContaining(sentence)]);
  });
});
