import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PhaseClock } from './phase-clock.js';

let expiries: string[];

function givenClock(timeoutMs: number, startedAt?: number): PhaseClock {
  expiries = [];
  return new PhaseClock(timeoutMs, ({ message }) => expiries.push(message), startedAt);
}

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('PhaseClock', () => {
  it('limits parsing', () => {
    givenClock(60_000);
    jest.advanceTimersByTime(3000);
    expect(expiries).toEqual(['The statement took longer to be understood than its limit of 3 seconds']);
  });

  it('limits binding, and gives long runs longer', () => {
    givenClock(60_000).enter('bind');
    jest.advanceTimersByTime(5000);
    expect(expiries).toEqual(['The statement took longer to be prepared than its limit of 5 seconds']);
    givenClock(600_000).enter('bind');
    jest.advanceTimersByTime(9999);
    expect(expiries).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(expiries).toEqual(['The statement took longer to be prepared than its limit of 10 seconds']);
  });

  it('limits the whole, the phases before included', () => {
    const clock = givenClock(60_000);
    jest.advanceTimersByTime(2000);
    clock.enter('resolve');
    jest.advanceTimersByTime(10_000);
    clock.enter('execute');
    jest.advanceTimersByTime(47_999);
    expect(expiries).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(expiries).toEqual(['The statement took longer to run than its limit of 60 seconds']);
  });

  it('counts the time before it, too', () => {
    givenClock(60_000, performance.now() - 58_000);
    jest.advanceTimersByTime(1999);
    expect(expiries).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(expiries).toEqual(['The statement took longer to run than its limit of 60 seconds']);
  });

  it('keeps still once it is stopped', () => {
    givenClock(1000).stop();
    jest.advanceTimersByTime(5000);
    expect(expiries).toEqual([]);
  });
});
