import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findChildren } from '../../../test/support/child-processes.js';
import { IngestChild } from './ingest-child.js';

const LIMITS = {
  memoryBytes: 200_000_000,
  maxResidentBytes: 400_000_000,
  threads: 1,
  maxSpillBytes: 1e9,
  timeoutMs: 30_000,
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eider-ingest-child-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('IngestChild', () => {
  it('tells its allocators how to keep memory, in words that they know', async () => {
    const child = await IngestChild.start(join(folder, 'child'), [folder], LIMITS);
    const [pid] = findChildren('ingest.child.cjs');
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    await child.kill();
    const { cause } = await child.exited;

    expect(environment).toContain('DUCKDB_JE_MALLOC_CONF=');
    // An option that it does not know is an 'Invalid conf pair' there.
    expect(cause).toBeUndefined();
  });
});
