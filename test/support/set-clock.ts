import { Clock } from '../../src/config/clock.js';

/** A clock that stands still until a test moves it. */
export class SetClock extends Clock {
  constructor(private at = new Date('2026-03-01T10:20:30.123Z')) {
    super();
  }

  override now(): Date {
    return this.at;
  }

  /** Moves on, or back with a negative figure. */
  advance({ seconds }: { seconds: number }): void {
    this.at = new Date(this.at.getTime() + seconds * 1_000);
  }
}
