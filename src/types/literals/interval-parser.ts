import { equalTo, stringParser } from './literal.js';

/** The units of an interval, which do not convert into each other. */
type Unit = 'months' | 'days' | 'microseconds';

const UNITS: Readonly<Record<string, readonly [Unit, bigint]>> = {
  year: ['months', 12n],
  month: ['months', 1n],
  week: ['days', 7n],
  day: ['days', 1n],
  hour: ['microseconds', 3_600_000_000n],
  minute: ['microseconds', 60_000_000n],
  second: ['microseconds', 1_000_000n],
};

const AMOUNT = /([+-]?\d{1,12}) (year|month|week|day|hour|minute|second)s?(?= |$) ?/iy;
const CLOCK = /([+-]?)(\d{1,9}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?$/y;

const MAX_INT32 = 2n ** 31n - 1n;
const MAX_INT64 = 2n ** 63n - 1n;

const TAKES = "an interval such as '1 year 2 months 3 days 04:05:06.7'";

/** INTERVAL: amounts with their units, then a time, as the service prints them. */
export const INTERVAL_PARSER = stringParser('INTERVAL', TAKES, (text) => {
  const totals = parseInterval(text);
  if (totals === undefined) return undefined;
  const { months, days, microseconds } = totals;
  const fits = magnitude(months) <= MAX_INT32 && magnitude(days) <= MAX_INT32 && magnitude(microseconds) <= MAX_INT64;
  return fits ? equalTo(`${months} months ${days} days ${microseconds} microseconds`) : undefined;
});

function parseInterval(text: string): Record<Unit, bigint> | undefined {
  if (text === '') return undefined;
  const totals = { months: 0n, days: 0n, microseconds: 0n };
  let offset = 0;
  while (offset < text.length) {
    AMOUNT.lastIndex = offset;
    const [matched = '', count = '', name = ''] = AMOUNT.exec(text) ?? [];
    const unit = UNITS[name.toLowerCase()];
    if (unit === undefined) break;
    totals[unit[0]] += BigInt(count) * unit[1];
    offset += matched.length;
  }
  if (offset === text.length) return totals;
  CLOCK.lastIndex = offset;
  const [clock, sign, hours = '', minutes = '', seconds = '', fraction = ''] = CLOCK.exec(text) ?? [];
  if (clock === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const wholeSeconds = (BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
  const time = wholeSeconds * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
  totals.microseconds += sign === '-' ? -time : time;
  return totals;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
