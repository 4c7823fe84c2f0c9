import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { watchResultFile } from './result-file-watcher.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eider-watch-'));
  path = join(folder, 'r.parquet');
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

describe('watchResultFile', () => {
  it('calls once when the file, which need not exist at first, has grown too large', async () => {
    let calls = 0;
    const exceeded = new Promise<void>((resolve) => {
      watchResultFile(path, 1000, () => {
        calls++;
        resolve();
      });
    });
    await appendFile(path, Buffer.alloc(1000));
    await appendFile(path, Buffer.alloc(1));
    await exceeded;
    expect(calls).toBe(1);
  });
});
