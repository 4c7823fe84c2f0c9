import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { checkResultFile } from './check-result-file.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = temporaryFolder();
  path = join(folder, 'r.parquet');
});

describe('checkResultFile', () => {
  const written = { columns: [], rowCount: 0, fileBytes: 8, logicalBytes: 0, maxRowBytes: 0, isTruncated: false };

  it('accepts a file that is as long as it should be and has its end', async () => {
    await appendFile(path, 'PAR1PAR1');
    await expect(checkResultFile(path, written)).resolves.toBeUndefined();
  });

  it.each([
    ['is cut', 'PAR1PAR'],
    ['has no end', 'PAR1PAR2'],
    ['is longer than was told', 'PAR1 PAR1'],
  ])('refuses a file that %s', async (_, content) => {
    await appendFile(path, content);
    await expect(checkResultFile(path, written)).rejects.toThrow('incomplete');
  });
});
