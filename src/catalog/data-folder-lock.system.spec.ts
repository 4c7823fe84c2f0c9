import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { Catalog } from './catalog.js';
import { DataFolderLock } from './data-folder-lock.js';

/** Another process that holds the lock the way the server does. */
const HOLDER = `
const { DatabaseSync } = await import('node:sqlite');
const file = new DatabaseSync(process.argv[1], { timeout: 0 });
file.exec('BEGIN EXCLUSIVE');
process.stdout.write('held');
process.stdin.resume();
`;

describe('DataFolderLock', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = temporaryFolder();
  });

  it('is held by one server at a time', () => {
    const first = DataFolderLock.take(dataDir);
    expect(() => DataFolderLock.take(dataDir)).toThrow('Another server is using this data folder');
    first.release();
    DataFolderLock.take(dataDir).release();
  });

  it('is let go of when its process is killed', async () => {
    const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, join(dataDir, 'serving.lock')]);
    await once(holder.stdout, 'data');
    expect(() => DataFolderLock.take(dataDir)).toThrow('Another server is using this data folder');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    DataFolderLock.take(dataDir).release();
  });

  it('does not keep commands from the catalog', async () => {
    const lock = DataFolderLock.take(dataDir);
    const catalog = await Catalog.open(dataDir);
    expect(await catalog.selectFrom('accounts').selectAll().execute()).toEqual([]);
    await catalog.destroy();
    lock.release();
  });
});
