import { describe, expect, it } from '@jest/globals';
import { BufferPool } from './buffer-pool.js';

describe('BufferPool', () => {
  it('lends a buffer again only after it was given back', () => {
    const pool = new BufferPool();
    const [first, second] = [pool.take(), pool.take()];
    expect(second.buffer).not.toBe(first.buffer);
    pool.give(first.subarray(10, 20));
    expect(pool.take().buffer).toBe(first.buffer);
    expect(pool.take().buffer).not.toBe(first.buffer);
  });

  it('takes a buffer back once, however many parts of it are given', () => {
    const pool = new BufferPool();
    const buffer = pool.take();
    pool.give(buffer.subarray(0, 1));
    pool.give(buffer.subarray(1));
    expect(pool.take().buffer).toBe(buffer.buffer);
    expect(pool.take().buffer).not.toBe(buffer.buffer);
  });

  it('does not lend what is not its own', () => {
    const pool = new BufferPool();
    const foreign = new Uint8Array(100);
    pool.give(foreign);
    expect(pool.take().buffer).not.toBe(foreign.buffer);
  });

  it('keeps no more than it may when all are given back', () => {
    const pool = new BufferPool();
    const buffers = Array.from({ length: 200 }, () => pool.take());
    for (const buffer of buffers) pool.give(buffer);
    const known = new Set(buffers.map(({ buffer }) => buffer));
    const again = Array.from({ length: 200 }, () => pool.take().buffer);
    expect(again.filter((buffer) => known.has(buffer))).toHaveLength(128);
  });
});
