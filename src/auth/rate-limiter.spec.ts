import { describe, expect, it } from '@jest/globals';
import { SetClock } from '../../test/support/set-clock.js';
import { Config } from '../config/config.js';
import { type Bucket, RateLimiter } from './rate-limiter.js';

function limiterOf(settings: Partial<Config>) {
  const clock = new SetClock();
  return { clock, limiter: new RateLimiter(Object.assign(new Config(), settings), clock) };
}

/** How many of `tries` get through. */
function spendMany(limiter: RateLimiter, keyId: string, bucket: Bucket, tries: number): number {
  let spent = 0;
  for (let count = 0; count < tries; count += 1) {
    try {
      limiter.spend(keyId, bucket);
      spent += 1;
    } catch {
      // Refused: the caller counts what got through.
    }
  }
  return spent;
}

describe('RateLimiter', () => {
  it('lets a minute’s worth through at once, and then refuses with the seconds until the next', () => {
    const { limiter } = limiterOf({ READS_PER_MINUTE: 6 });
    expect(spendMany(limiter, 'key', 'reads', 10)).toBe(6);
    expect(() => limiter.spend('key', 'reads')).toThrow(
      expect.objectContaining({ kind: 'too_many', code: 'rate_limit', retryAfterSeconds: 10 }),
    );
  });

  it('fills steadily', () => {
    const { limiter, clock } = limiterOf({ WRITES_PER_MINUTE: 6 });
    spendMany(limiter, 'key', 'writes', 6);
    clock.advance({ seconds: 20 });
    expect(spendMany(limiter, 'key', 'writes', 10)).toBe(2);
    clock.advance({ seconds: 3_600 });
    expect(spendMany(limiter, 'key', 'writes', 10)).toBe(6);
  });

  it('keeps keys apart, and reads from writes', () => {
    const { limiter } = limiterOf({ READS_PER_MINUTE: 1, WRITES_PER_MINUTE: 2 });
    expect(spendMany(limiter, 'a', 'reads', 5)).toBe(1);
    expect(spendMany(limiter, 'a', 'writes', 5)).toBe(2);
    expect(spendMany(limiter, 'b', 'reads', 5)).toBe(1);
  });

  it('has no limit at 0', () => {
    const { limiter } = limiterOf({ READS_PER_MINUTE: 0 });
    expect(spendMany(limiter, 'key', 'reads', 10_000)).toBe(10_000);
  });
});
