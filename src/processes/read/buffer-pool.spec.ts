import { describe, expect, it } from '@jest/globals';
import { BufferPool } from './buffer-pool.js';

describe('BufferPool', () => {
  it('returns a buffer again only after it was released', () => {
    const pool = new BufferPool();
    const [first, second] = [pool.acquire(), pool.acquire()];
    expect(second.buffer).not.toBe(first.buffer);
    pool.release(first.subarray(10, 20));
    expect(pool.acquire().buffer).toBe(first.buffer);
    expect(pool.acquire().buffer).not.toBe(first.buffer);
  });

  it('releases a buffer once, however many parts of it are released', () => {
    const pool = new BufferPool();
    const buffer = pool.acquire();
    pool.release(buffer.subarray(0, 1));
    pool.release(buffer.subarray(1));
    expect(pool.acquire().buffer).toBe(buffer.buffer);
    expect(pool.acquire().buffer).not.toBe(buffer.buffer);
  });

  it('does not return what is not its own', () => {
    const pool = new BufferPool();
    const foreign = new Uint8Array(100);
    pool.release(foreign);
    expect(pool.acquire().buffer).not.toBe(foreign.buffer);
  });

  it('keeps no more than it may when all are released', () => {
    const pool = new BufferPool();
    const buffers = Array.from({ length: 200 }, () => pool.acquire());
    for (const buffer of buffers) pool.release(buffer);
    const known = new Set(buffers.map(({ buffer }) => buffer));
    const again = Array.from({ length: 200 }, () => pool.acquire().buffer);
    expect(again.filter((buffer) => known.has(buffer))).toHaveLength(128);
  });
});
