import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { OperatorError } from '../config/operator-error.js';
import { Catalog } from './catalog.js';
import { DataFolderLock } from './data-folder-lock.js';
import { toOpenError } from './open-errors.js';

describe('a data folder that cannot be used', () => {
  let folder: string;

  beforeEach(() => {
    folder = temporaryFolder();
  });

  const errorOf = async (open: () => unknown): Promise<Error> => {
    try {
      await open();
    } catch (error) {
      return error as Error;
    }
    throw new Error('It was opened');
  };

  it.each(['file', 'file/below'])('is reported when it is or lies in a file (%s)', async (path) => {
    writeFileSync(join(folder, 'file'), '');
    const dataDir = join(folder, path);
    for (const open of [() => DataFolderLock.take(dataDir), () => Catalog.open(dataDir)]) {
      const error = await errorOf(open);
      expect(error).toBeInstanceOf(OperatorError);
      expect(error.message).toBe(
        `DATA_DIR must be a folder, and ${dataDir} is or lies in a file: set DATA_DIR to a folder`,
      );
    }
  });

  it('is reported when its catalog is damaged', async () => {
    writeFileSync(join(folder, 'catalog.db'), 'no database'.repeat(1_000));
    const error = await errorOf(() => Catalog.open(folder));
    expect(error).toBeInstanceOf(OperatorError);
    expect(error.message).toMatch(/^The catalog \(catalog\.db in DATA_DIR\) is damaged: restore it from a backup/);
  });

  it.each(['EACCES', 'EROFS', 'EPERM'])('is reported when it cannot be written (%s)', (code) => {
    const error = toOpenError(Object.assign(new Error(code), { code }), '/srv/eider');
    expect(error).toMatchObject({
      message: expect.stringContaining('This user cannot write the data folder /srv/eider'),
    });
  });

  it('is not made by a command beside the service', async () => {
    const absent = join(folder, 'absent');
    const error = await errorOf(() => Catalog.openExisting(absent));
    expect(error.message).toBe(
      `There is no data folder ${absent}: start the service once (eider serve), or set DATA_DIR to the folder that it serves`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves an error that has nothing to do with it as it is', () => {
    const error = new Error('out of luck');
    expect(toOpenError(error, folder)).toBe(error);
  });
});
