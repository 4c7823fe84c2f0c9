import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ulid } from 'ulid';
import { openTemporaryCatalog, type TemporaryCatalog } from '../../test/support/temporary-catalog.js';
import { AccountsRepository } from '../auth/accounts.repository.js';
import { AccountsService } from '../auth/accounts.service.js';
import type { AccountId, ExecutionId } from '../catalog/ids.js';
import { Clock } from '../config/clock.js';
import type { Execution } from './execution.js';
import type { ExecutionState } from './execution-state.js';
import { ExecutionsRepository } from './executions.repository.js';

const NOW = new Date('2026-01-02T03:04:05.678Z');
const RESULT = { file: 'r.parquet', columns: [], rowCount: 1, fileBytes: 2, logicalBytes: 3, maxRowBytes: 4 };
const END = { readPrivateTable: false, endedAt: NOW, expiresAt: NOW };
const FAILURE = { type: 'FAILED_TYPE_INTERNAL', message: 'no reason' } as const;

const STATES = ['PENDING', 'EXECUTING', 'COMPLETED', 'COMPLETED_PARTIAL', 'FAILED', 'CANCELLED', 'EXPIRED'] as const;

type Changes = Partial<Record<ExecutionState, ExecutionState>>;

/** Every change of state in the code, and what it makes of the states that it changes. */
const CHANGES: [string, (executions: ExecutionsRepository, id: ExecutionId) => Promise<boolean>, Changes][] = [
  ['begin', (executions, id) => executions.begin(id, 1, NOW), { PENDING: 'EXECUTING' }],
  ['requeue', (executions, id) => executions.requeue(id), { EXECUTING: 'PENDING' }],
  [
    'complete',
    (executions, id) => executions.complete(id, RESULT, { ...END, isTruncated: false }),
    { EXECUTING: 'COMPLETED' },
  ],
  [
    'complete, truncated',
    (executions, id) => executions.complete(id, RESULT, { ...END, isTruncated: true }),
    { EXECUTING: 'COMPLETED_PARTIAL' },
  ],
  ['fail before it began', (executions, id) => executions.fail(id, 'PENDING', FAILURE, NOW), { PENDING: 'FAILED' }],
  ['fail', (executions, id) => executions.fail(id, 'EXECUTING', FAILURE, NOW), { EXECUTING: 'FAILED' }],
  ['cancel before it began', (executions, id) => executions.cancel(id, 'PENDING', NOW), { PENDING: 'CANCELLED' }],
  ['cancel', (executions, id) => executions.cancel(id, 'EXECUTING', NOW), { EXECUTING: 'CANCELLED' }],
  ['expire', (executions, id) => executions.expire(id), { COMPLETED: 'EXPIRED', COMPLETED_PARTIAL: 'EXPIRED' }],
];

describe('ExecutionsRepository', () => {
  let temporary: TemporaryCatalog;
  let executions: ExecutionsRepository;
  let accountId: AccountId;

  beforeAll(async () => {
    temporary = await openTemporaryCatalog();
    executions = new ExecutionsRepository(temporary.catalog);
    const accounts = new AccountsService(new AccountsRepository(temporary.catalog), new Clock());
    accountId = (await accounts.create({ handle: 'acme', type: 'user', plan: 'free' })).id;
  });
  afterAll(() => temporary.close());

  /** Makes an execution that stands in a state and gives its id. */
  async function givenExecution(state: ExecutionState): Promise<ExecutionId> {
    const execution: Execution = {
      id: ulid() as ExecutionId,
      accountId,
      sql: 'SELECT 1',
      parameters: {},
      replacements: [],
      performance: 'medium',
      state,
      attempt: 0,
      readPrivateTable: false,
      submittedAt: NOW,
      expiresAt: NOW,
      origin: { trigger: 'api', submittedBy: 'laptop' },
    };
    await executions.insert(execution, undefined);
    return execution.id;
  }

  describe.each(CHANGES)('%s', (_, change, changes) => {
    it.each(STATES)('of an execution that is %s', async (from) => {
      const id = await givenExecution(from);
      const before = await executions.find(id);
      const to = changes[from];
      expect(await change(executions, id)).toBe(to !== undefined);
      const after = await executions.find(id);
      expect(after?.state).toBe(to ?? from);
      if (to === undefined) expect(after).toEqual(before);
    });
  });

  it('counts the bytes of stored results for their account, whatever happens to executions', async () => {
    const counted = async () => (await executions.getStorage(accountId)).bytes;
    const before = await counted();
    let stored = 0;
    for (const [index, [, change]] of [...CHANGES, ...CHANGES].entries()) {
      for (const from of STATES) {
        const id = await givenExecution('EXECUTING');
        const result = { ...RESULT, fileBytes: 10 ** (index % 10) };
        if (from.startsWith('COMPLETED') && (await executions.complete(id, result, { ...END, isTruncated: index > 9 })))
          stored += result.fileBytes;
        const isStored = (state: string | undefined) => state?.startsWith('COMPLETED') === true;
        const wasStored = isStored((await executions.find(id))?.state);
        const hasChanged = await change(executions, id);
        const isStoredNow = isStored((await executions.find(id))?.state);
        if (hasChanged && wasStored && !isStoredNow) stored -= result.fileBytes;
        if (hasChanged && !wasStored && isStoredNow) stored += RESULT.fileBytes;
        expect(await counted()).toBe(before + stored);
      }
    }
    expect(stored).toBeGreaterThan(0);
  });

  it('keeps an execution only if it is admitted, with what its account stores', async () => {
    const { bytes } = await executions.getStorage(accountId);
    const execution = (await executions.find(await givenExecution('PENDING'))) as Execution;
    const id = ulid() as ExecutionId;
    const refused = executions.insert({ ...execution, id }, undefined, (storage) => {
      expect(storage).toEqual({ plan: 'free', bytes });
      throw new Error('no room');
    });
    await expect(refused).rejects.toThrow('no room');
    expect(await executions.find(id)).toBeUndefined();
  });

  it('has a way for every transition of `docs/contract.md`, "States", and for no other', () => {
    const made = CHANGES.flatMap(([, , changes]) => Object.entries(changes).map(([from, to]) => `${from} to ${to}`));
    expect(made.sort()).toEqual([
      'COMPLETED to EXPIRED',
      'COMPLETED_PARTIAL to EXPIRED',
      'EXECUTING to CANCELLED',
      'EXECUTING to COMPLETED',
      'EXECUTING to COMPLETED_PARTIAL',
      'EXECUTING to FAILED',
      'EXECUTING to PENDING',
      'PENDING to CANCELLED',
      'PENDING to EXECUTING',
      'PENDING to FAILED',
    ]);
  });
});
