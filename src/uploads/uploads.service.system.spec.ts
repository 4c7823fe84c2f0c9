import 'reflect-metadata';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { csvRequest, TemporaryTables } from '../../test/support/temporary-tables.js';
import type { Account } from '../auth/account.js';
import { toTableColumn } from '../types/column-types.js';

describe('UploadsService', () => {
  let service: TemporaryTables;
  let ada: Account;

  beforeEach(async () => {
    service = await TemporaryTables.open();
    ada = await service.givenAccount('ada', 'free');
  });

  afterEach(() => service.close());

  const SIZES = { namespace: 'ada', name: 'sizes' };
  const upload = (text: string, name = 'sizes') =>
    service.upload(ada, csvRequest(text, { query: { table_name: name } }));
  const insert = (text: string) => service.insert(ada, SIZES, csvRequest(text));
  /** Text that stays about as large as Parquet. */
  const incompressible = (lines: number) =>
    `x\n${Array.from({ length: lines }, (_, n) => `${Math.sin(n)} ${Math.cos(n)}`).join('\n')}\n`;

  /** Expects that the store holds the parts of the tables, and nothing else lies anywhere. */
  async function expectNoRemains(): Promise<void> {
    const { tables } = await service.repository.list(ada.id, { limit: 100, offset: 0 });
    const parts = await Promise.all(tables.map(({ id }) => service.repository.listParts(id)));
    expect(await service.blobs()).toEqual(
      parts
        .flat()
        .map(({ blob }) => blob)
        .toSorted(),
    );
    expect(await service.staged()).toEqual([]);
  }

  it('leaves nothing behind of an upload that succeeds', async () => {
    await upload('n\n1\n');
    await expectNoRemains();
  });

  it.each([
    ['a bad name', () => upload('n\n1\n', 'Sizes')],
    ['bad data', () => upload('n,n\n1,2\n')],
    ['too much data', () => upload(incompressible(60_000))],
  ])('leaves nothing behind of an upload with %s, and the old table as it is', async (_what, failing) => {
    await upload('n\n1\n');
    await expect(failing()).rejects.toMatchObject({ code: expect.stringMatching(/^invalid_|^storage_full$/) });
    expect(await service.rows(ada, 'sizes')).toEqual([['1']]);
    await expectNoRemains();
  });

  it('leaves nothing behind of an upload whose caller goes away', async () => {
    const controller = new AbortController();
    const request = csvRequest(incompressible(200_000), { query: { table_name: 'sizes' }, signal: controller.signal });
    const uploading = service.upload(ada, request);
    controller.abort(new Error('gone'));
    await expect(uploading).rejects.toThrow('gone');
    await expectNoRemains();
  });

  it('lets uploads at once not pass the plan together', async () => {
    const text = incompressible(10_000);
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, (_, index) => upload(text, `t${index}`)));
    const { tables } = await service.repository.list(ada.id, { limit: 100, offset: 0 });
    expect(tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBeLessThanOrEqual(1_000_000);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(tables.length);
    expect([0, 6]).not.toContain(tables.length);
    await expectNoRemains();
  });

  it('refuses an insert whose table is overwritten while its rows are on their way', async () => {
    await upload('n\n1\n');
    let goOn = () => {};
    const isOverwritten = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    async function* rows() {
      yield Buffer.from('n\n');
      await isOverwritten;
      yield Buffer.from('2\n');
    }
    const inserting = service.insert(ada, SIZES, { ...csvRequest(''), stream: Readable.from(rows()) });
    await upload('n\n3\n');
    goOn();
    await expect(inserting).rejects.toMatchObject({ kind: 'conflict', code: 'table_replaced' });
    expect(await service.rows(ada, 'sizes')).toEqual([['3']]);
  });

  it('keeps a cleared table as small as an empty one', async () => {
    await service.uploads.create(ada, {
      ...SIZES,
      description: '',
      isPrivate: false,
      columns: [toTableColumn('n', 'bigint', true)],
    });
    for (const n of [1, 2, 3]) await insert(`n\n${n}\n`);
    await service.uploads.clear(ada, SIZES);
    expect((await service.repository.find(SIZES))?.parts).toEqual([expect.objectContaining({ rowCount: 0 })]);
  });

  it('merges small parts, in order, so that few remain', async () => {
    await upload('n\n0\n');
    for (let n = 1; n < 20; n += 1) await insert(`n\n${n}\n`);
    await service.merger.whenIdle();
    expect((await service.repository.find(SIZES))?.parts.length).toBeLessThan(16);
    expect(await service.rows(ada, 'sizes')).toEqual(Array.from({ length: 20 }, (_, n) => [String(n)]));
  });

  it('merges what was to be merged when the service ended', async () => {
    await upload('n\n0\n');
    await service.merger.onModuleDestroy();
    for (let n = 1; n < 20; n += 1) await insert(`n\n${n}\n`);
    expect((await service.repository.find(SIZES))?.parts).toHaveLength(20);
    const merger = service.makeMerger();
    await merger.enqueueAll();
    await merger.whenIdle();
    expect((await service.repository.find(SIZES))?.parts).toHaveLength(1);
    expect(await service.rows(ada, 'sizes')).toEqual(Array.from({ length: 20 }, (_, n) => [String(n)]));
  });

  it('drops a merge that another change overtakes', async () => {
    await upload('n\n0\n');
    await service.merger.onModuleDestroy();
    for (let n = 1; n < 16; n += 1) await insert(`n\n${n}\n`);
    const blobs = await service.blobs();
    const id = (await service.repository.find(SIZES))?.id ?? '';
    let isOvertaken = false;
    const merger = service.makeMerger(async () => {
      isOvertaken = await service.changes.delete(id);
    });
    await merger.enqueueAll();
    await merger.whenIdle();
    expect(isOvertaken).toBe(true);
    expect([await service.blobs(), await service.staged()]).toEqual([blobs, []]);
  });
});
