import { chmod, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { sendRaw } from '../support/raw-request.js';
import { TestServer } from '../support/server.js';

const ROWS = 400_000;
/** The file begins with row groups of one value, which take less. */
const ALIKE_BYTES = 2_000;
const DAMAGED_BYTES = 400_000;

describe('a read that fails before its first byte was sent', () => {
  let server: TestServer;
  let damaged: string;

  beforeAll(async () => {
    server = await TestServer.start({ CORS_ORIGINS: 'https://app.example.org', COMPRESS_DOWNLOADS: 'all' });
    // The rows before the damage are so alike that their compressed text waits in the buffer of the
    // compression.
    damaged = await server.givenResult(
      `SELECT CASE WHEN range < 200000 THEN 'a' ELSE md5(range::VARCHAR) END AS text FROM range(${ROWS})`,
    );
    await damageResult(damaged);
  });
  afterAll(() => stopWithoutLeaks(server));

  /** Overwrites the first values that differ, behind the few bytes of those that are alike. */
  async function damageResult(id: string): Promise<void> {
    const folder = join(server.dataDir, 'results');
    const name = (await readdir(folder, { recursive: true })).find((path) => path.includes(id)) ?? '';
    await chmod(join(folder, name), 0o600);
    const file = await open(join(folder, name), 'r+');
    await file.write(Buffer.alloc(DAMAGED_BYTES, 0xff), 0, DAMAGED_BYTES, ALIKE_BYTES);
    await file.close();
  }

  function readRaw(path: string, encoding: string) {
    return sendRaw(server.url, [
      `GET /api/v1${path} HTTP/1.1`,
      `X-SERVICE-API-KEY: ${server.key}`,
      'Origin: https://app.example.org',
      `Accept-Encoding: ${encoding}`,
    ]);
  }

  it('is answered with plain JSON, without the headers of the compressed success', async () => {
    const { status, head, text } = await readRaw(`/execution/${damaged}/results/csv`, 'gzip');
    expect(status).toBe(500);
    expect(JSON.parse(text)).toEqual({
      error: 'An internal error occurred',
      code: 'internal',
      request_id: expect.any(String),
    });
    const names = head.split('\r\n').flatMap((line) => /^([\w-]+):/.exec(line)?.[1]?.toLowerCase() ?? []);
    expect(names).not.toContain('content-encoding');
    expect(names).not.toContain('transfer-encoding');
    expect(names).toContain('access-control-allow-origin');
    expect(/^content-type: (.*)$/im.exec(head)?.[1]).toBe('application/json; charset=utf-8');
    expect(Number(/^content-length: (\d+)$/im.exec(head)?.[1])).toBe(text.length);
  });
});
