import { equalTo, type LiteralParser, stringParser } from './literal.js';
import { countUnits } from './nearest-value.js';
import { formatTimeOfDay, NANOSECONDS, parseOffset, parseTimeOfDay } from './time-of-day.js';

/** The engine has this moment after the last one of a day. */
const END_OF_DAY = /^24:00(?::00(?:\.0{1,9})?)?$/;

/** TIME, with 6 digits of fraction, and TIME_NS, with 9. */
export function timeParser(castTo: 'TIME' | 'TIME_NS', fractionDigits: 6 | 9): LiteralParser {
  const unit = fractionDigits === 6 ? NANOSECONDS.microsecond : 1n;
  return stringParser(castTo, "a time of day such as '10:20:30.5'", (text) => {
    if (END_OF_DAY.test(text)) return equalTo('24:00:00');
    const nanoseconds = parseTimeOfDay(text);
    if (nanoseconds === undefined) return undefined;
    const { isWhole } = countUnits(nanoseconds, unit);
    return { text: formatTimeOfDay(nanoseconds, fractionDigits), literalIs: isWhole ? 'equal' : 'above' };
  });
}

/**
 * TIMETZ: ordered by the moment in UTC, then by the offset, which is therefore part of the value.
 * Without an offset it is UTC.
 */
export const TIMETZ_PARSER = stringParser('TIMETZ', "a time of day such as '10:20:30.5+02:00'", (text) => {
  const [, time = '', offset = ''] = /^([\d:.]+) ?(.*)$/.exec(text) ?? [];
  const nanoseconds = parseTimeOfDay(time);
  const aheadOfUtc = parseOffset(offset || 'Z');
  if (nanoseconds === undefined || aheadOfUtc === undefined) return undefined;
  if (nanoseconds % NANOSECONDS.microsecond !== 0n) return undefined;
  const sign = aheadOfUtc < 0n ? '-' : '+';
  const [hours, minutes] = formatTimeOfDay(aheadOfUtc < 0n ? -aheadOfUtc : aheadOfUtc, 6).split(':');
  return equalTo(`${formatTimeOfDay(nanoseconds, 6)}${sign}${hours}:${minutes}`);
});
