import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { IngestChild } from './ingest-child.js';
import { IngestPool } from './ingest-pool.js';

const LIMITS = {
  memoryBytes: 128_000_000,
  maxResidentBytes: 1_000_000_000,
  threads: 1,
  maxSpillBytes: 1_000_000,
  timeoutMs: 30_000,
};

let folder: string;
let pool: IngestPool;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eider-ingest-pool-'));
  let started = 0;
  pool = new IngestPool(1, () => IngestChild.start(join(folder, `child-${started++}`), [folder], LIMITS));
});

afterEach(async () => {
  await pool.close();
  await rm(folder, { recursive: true });
});

describe('IngestPool.use', () => {
  it('lends the child that waits', async () => {
    const first = await pool.use(1, async (child) => child);
    expect(await pool.use(1, async (child) => child)).toBe(first);
  });

  it('lends no child that has ended while it waited, even if its folder is still there', async () => {
    const ended = await pool.use(1, async (child) => child);
    void ended.kill();
    await until(() => ended.hasExited);
    expect(await pool.use(1, async (child) => child)).not.toBe(ended);
  });
});
