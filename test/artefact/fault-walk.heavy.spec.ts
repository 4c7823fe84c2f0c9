import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FailpointKind, FailpointName } from '../../src/config/failpoints.js';
import { OPERATIONS } from '../support/fault-walk/operations.js';
import { planWalk } from '../support/fault-walk/plan-walk.js';
import { PreparedFolder } from '../support/fault-walk/prepared-folder.js';
import { walkCase } from '../support/fault-walk/walk-case.js';

/** Some cases of `npm run faults`, which walks all of them (`docs/reliability.md`). */
describe('a failpoint that fires', () => {
  let prepared: PreparedFolder;

  beforeAll(async () => {
    prepared = await PreparedFolder.make();
  });
  afterAll(() => prepared.remove());

  function operationOf(name: string) {
    const operation = OPERATIONS.find((each) => each.name === name);
    if (!operation) throw new Error(`There is no operation ${name}`);
    return operation;
  }

  it.each<[string, FailpointName, FailpointKind]>([
    ['execute', 'result-renamed', 'crash'],
    ['overwrite', 'staging-write', 'short'],
    ['insert', 'table-committed', 'crash'],
    ['sweep', 'result-expired', 'crash'],
  ])(
    'in %s at %s=%s loses nothing, and leaves nothing stuck',
    async (operation, name, kind) => {
      expect(await walkCase(prepared, { operation: operationOf(operation), name, kind, nth: 1 })).toEqual([]);
    },
    240_000,
  );

  it('after a commit that is reported as an error loses no result', async () => {
    const planned = await planWalk(prepared, operationOf('execute'));
    const last = planned.findLast(({ name, kind }) => name === 'catalog-committed' && kind === 'eio');
    expect(last && (await walkCase(prepared, last))).toEqual([]);
  }, 240_000);
});
