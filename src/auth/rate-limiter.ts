import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../config/clock.js';
import { Config } from '../config/config.js';
import { RateLimitError } from './auth.errors.js';

/** What a request spends from: one bucket for writes and executions, one for reads. */
export type Bucket = 'writes' | 'reads';

interface Level {
  tokens: number;
  at: number;
}

const MINUTE_MS = 60_000;
/** Buckets kept in memory; one that was dropped was the longest unused, and is full by then. */
const MAX_BUCKETS = 100_000;

/**
 * Token buckets of the keys: each fills steadily up to a minute's worth, which a key may spend at
 * once.
 */
@Injectable()
export class RateLimiter {
  private readonly levels = new LRUCache<string, Level>({ max: MAX_BUCKETS });

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Takes one from the bucket of a key. @throws RateLimitError if it is empty. */
  spend(keyId: string, bucket: Bucket): void {
    const perMinute = bucket === 'writes' ? this.config.WRITES_PER_MINUTE : this.config.READS_PER_MINUTE;
    if (perMinute === 0) return;
    const tokens = this.fill(`${bucket}:${keyId}`, perMinute);
    if (tokens.tokens < 1) throw new RateLimitError(bucket, perMinute, ((1 - tokens.tokens) / perMinute) * 60);
    tokens.tokens -= 1;
  }

  private fill(name: string, perMinute: number): Level {
    const now = this.clock.now().getTime();
    const level = this.levels.get(name) ?? { tokens: perMinute, at: now };
    level.tokens = Math.min(perMinute, level.tokens + ((now - level.at) / MINUTE_MS) * perMinute);
    level.at = now;
    this.levels.set(name, level);
    return level;
  }
}
