import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { watchResultFile } from './result-file-watcher.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = temporaryFolder();
  path = join(folder, 'r.parquet');
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
