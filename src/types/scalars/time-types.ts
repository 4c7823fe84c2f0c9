import { DATE_PARSER, TIMESTAMP_NS_PARSER, TIMESTAMP_PARSER, TIMESTAMPTZ_PARSER } from '../literals/instant-parsers.js';
import { INTERVAL_PARSER } from '../literals/interval-parser.js';
import { TIMETZ_PARSER, timeParser } from '../literals/time-parsers.js';
import type { TypeRecord } from '../type-record.js';
import { timestampNsTextSql, timestampTextSql, timestamptzTextSql, timetzTextSql } from '../value-text.js';

/** What dates and times have in common. */
const TIME = { storage: 'same', text: 'engine', json: 'string', csvQuotes: 'never', bytes: 8, upload: null } as const;

const TIMESTAMP = { ...TIME, wireName: 'timestamp', text: timestampTextSql, literals: TIMESTAMP_PARSER };

/** Dates, times, timestamps and intervals. */
export const TIME_TYPES = {
  DATE: { ...TIME, wireName: 'date', bytes: 4, literals: DATE_PARSER, upload: { rule: 'date', inferredFrom: 'texts' } },
  TIME: { ...TIME, wireName: 'time', literals: timeParser('TIME', 6) },
  /** The engine writes it to Parquet, but not every version reads it back. */
  TIME_NS: { ...TIME, wireName: 'time', storage: 'text', literals: timeParser('TIME_NS', 9) },
  TIMETZ: {
    ...TIME,
    engineId: 'TIME_TZ',
    wireName: 'time with time zone',
    storage: 'text',
    text: timetzTextSql,
    literals: TIMETZ_PARSER,
  },
  TIMESTAMP: { ...TIMESTAMP, upload: { rule: 'timestamp', inferredFrom: 'texts' } },
  /** Parquet has no seconds. */
  TIMESTAMP_S: { ...TIMESTAMP, storedAs: 'TIMESTAMP' },
  /** The engine reads milliseconds of Parquet as microseconds. */
  TIMESTAMP_MS: { ...TIMESTAMP, storedAs: 'TIMESTAMP' },
  TIMESTAMP_NS: { ...TIMESTAMP, text: timestampNsTextSql, literals: TIMESTAMP_NS_PARSER },
  TIMESTAMPTZ: {
    ...TIMESTAMP,
    engineId: 'TIMESTAMP_TZ',
    wireName: 'timestamp with time zone',
    text: timestamptzTextSql,
    literals: TIMESTAMPTZ_PARSER,
    upload: { rule: 'timestamptz', inferredFrom: 'texts' },
  },
  INTERVAL: { ...TIME, wireName: 'interval', storage: 'text', bytes: 16, literals: INTERVAL_PARSER },
} satisfies Record<string, TypeRecord>;
