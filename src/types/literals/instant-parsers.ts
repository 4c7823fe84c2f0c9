import { daysFromEpoch } from './calendar.js';
import { formatDate, formatInstant, parseInstant } from './instant.js';
import { equalTo, type LiteralParser, stringParser } from './literal.js';
import { countUnits, nearestValue, type UnitRange } from './nearest-value.js';
import { NANOSECONDS } from './time-of-day.js';

/** A type of date or timestamp: its values are counted in `unit` nanoseconds from 1970-01-01. */
interface InstantType extends Required<UnitRange> {
  readonly castTo: string;
  readonly unit: bigint;
  readonly format: (units: bigint) => string;
}

const MICROSECONDS_PER_DAY = NANOSECONDS.day / NANOSECONDS.microsecond;
const MAX_INT64 = 2n ** 63n - 1n;

const DATE: InstantType = {
  castTo: 'DATE',
  unit: NANOSECONDS.day,
  min: BigInt(daysFromEpoch({ year: -5_877_641, month: 6, day: 25 })),
  max: BigInt(daysFromEpoch({ year: 5_881_580, month: 7, day: 10 })),
  format: formatDate,
};

const TIMESTAMP: InstantType = {
  castTo: 'TIMESTAMP',
  unit: NANOSECONDS.microsecond,
  min: BigInt(daysFromEpoch({ year: -290_308, month: 12, day: 22 })) * MICROSECONDS_PER_DAY,
  max: MAX_INT64 - 1n,
  format: (microseconds) => formatInstant(microseconds * NANOSECONDS.microsecond, 6),
};

const TIMESTAMPTZ: InstantType = {
  ...TIMESTAMP,
  castTo: 'TIMESTAMPTZ',
  format: (microseconds) => `${TIMESTAMP.format(microseconds)}+00`,
};

const TIMESTAMP_NS: InstantType = {
  castTo: 'TIMESTAMP_NS',
  unit: 1n,
  // The engine holds some hours more, but reads no text of them.
  min: BigInt(daysFromEpoch({ year: 1677, month: 9, day: 22 })) * NANOSECONDS.day,
  max: MAX_INT64 - 1n,
  format: (nanoseconds) => formatInstant(nanoseconds, 9),
};

/** DATE: a time of day is kept, so that noon is between two days. */
export const DATE_PARSER = instantParser(DATE, "a date such as '2024-01-31', or a date and time");

const INSTANT = "a date or a date and time such as '2024-01-31 10:20:30.5' (UTC, or with an offset)";

/** TIMESTAMP, in microseconds. */
export const TIMESTAMP_PARSER = instantParser(TIMESTAMP, INSTANT);
export const TIMESTAMPTZ_PARSER = instantParser(TIMESTAMPTZ, INSTANT);
export const TIMESTAMP_NS_PARSER = instantParser(TIMESTAMP_NS, INSTANT);

function instantParser(type: InstantType, takes: string): LiteralParser {
  return stringParser(type.castTo, takes, (text) => {
    const [infinity] = /^-?infinity(?= UTC$|$)/i.exec(text) ?? [];
    if (infinity !== undefined) return equalTo(infinity.toLowerCase());
    const nanoseconds = parseInstant(text);
    if (nanoseconds === undefined) return undefined;
    const { units, literalIs } = nearestValue(countUnits(nanoseconds, type.unit), type);
    return { text: type.format(units), literalIs };
  });
}
