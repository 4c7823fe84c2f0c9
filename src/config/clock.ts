/** Returns the time; tests set it. */
export class Clock {
  now(): Date {
    return new Date();
  }
}
