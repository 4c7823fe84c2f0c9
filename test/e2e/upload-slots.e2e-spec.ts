import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

describe('uploads at the same time', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start({ WORKERS: '1', MAX_UPLOADS: '2' });
  });
  afterAll(() => stopWithoutLeaks(server));

  function upload(name: string, key: string, body: string | ReadableStream = 'n\n1\n'): Promise<Response> {
    const headers = { 'x-service-api-key': key, 'content-type': 'text/csv' };
    const url = `${server.url}/api/v1/uploads/csv?table_name=${name}`;
    return fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  }

  /** Waits until so many bodies arrive. */
  async function untilStaged(count: number): Promise<void> {
    await until(async () => {
      const names = await readdir(join(server.dataDir, 'staging'));
      return names.filter((name) => name.endsWith('.upload')).length === count;
    });
  }

  it('are at most MAX_UPLOADS, of which one account has half; one more is answered 503', async () => {
    const other = await server.givenKey('other');
    const third = await server.givenKey('third');
    const bodies = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()] as const;
    const writers = bodies.map(({ writable }) => writable.getWriter());
    const begun = [upload('a', server.key, bodies[0].readable)];
    await writers[0]?.write(Buffer.from('n\n'));
    await untilStaged(1);
    const rejected = await upload('b', server.key);
    expect([rejected.headers.get('retry-after'), await rejected.json()]).toEqual([
      '5',
      { error: expect.stringMatching(/^Too many uploads are under way .*\(MAX_UPLOADS\)/), code: 'uploads_busy' },
    ]);
    expect((await upload('b', other)).status).toBe(200);

    begun.push(upload('c', other, bodies[1].readable));
    await writers[1]?.write(Buffer.from('n\n'));
    await untilStaged(2);
    expect((await upload('d', third)).status).toBe(503);

    for (const writer of writers) {
      await writer.write(Buffer.from('1\n'));
      await writer.close();
    }
    expect((await Promise.all(begun)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await upload('b', server.key)).status).toBe(200);
  });
});
