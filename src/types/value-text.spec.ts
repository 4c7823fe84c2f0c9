import { describe, expect, it } from '@jest/globals';
import { StoredTextPrinter } from '../../test/support/stored-text.js';

const printer = await StoredTextPrinter.open();

/** NULL in CSV of one column, whose lines would be blank otherwise. */
const ALONE = '""';

/** A value, then its JSON and CSV; by default, the CSV is the JSON string without its quotes. */
const CASES: readonly [value: string, json: string, csv?: string][] = [
  ['true', 'true', 'true'],
  ['false', 'false', 'false'],
  ['NULL::BOOLEAN', 'null', ALONE],
  ['(-128)::TINYINT', '-128', '-128'],
  ['255::UTINYINT', '255', '255'],
  ['(-32768)::SMALLINT', '-32768', '-32768'],
  ['65535::USMALLINT', '65535', '65535'],
  ['(-2147483648)::INTEGER', '-2147483648', '-2147483648'],
  ['4294967295::UINTEGER', '4294967295', '4294967295'],
  ['(-9223372036854775808)::BIGINT', '"-9223372036854775808"'],
  ['18446744073709551615::UBIGINT', '"18446744073709551615"'],
  ['(-99999999999999999999999999999999999999)::HUGEINT', '"-99999999999999999999999999999999999999"'],
  ['99999999999999999999999999999999999999::UHUGEINT', '"99999999999999999999999999999999999999"'],
  ['NULL::HUGEINT', 'null', ALONE],
  [`('-' || repeat('9', 60))::BIGNUM`, `"-${'9'.repeat(60)}"`],
  ['0.1::FLOAT', '0.1', '0.1'],
  ['16777216::FLOAT', '16777216.0', '16777216.0'],
  ['3.4028235e38::FLOAT', '3.4028235e38', '3.4028235e38'],
  [`'inf'::FLOAT`, '"Infinity"'],
  ['NULL::FLOAT', 'null', ALONE],
  ['(0.1 + 0.2::DOUBLE)', '0.30000000000000004', '0.30000000000000004'],
  ['1::DOUBLE', '1.0', '1.0'],
  ['1e300::DOUBLE', '1e300', '1e300'],
  ['5e-324::DOUBLE', '5e-324', '5e-324'],
  ['1.7976931348623157e308::DOUBLE', '1.7976931348623157e308', '1.7976931348623157e308'],
  [`'-0'::DOUBLE`, '-0.0', '-0.0'],
  [`'nan'::DOUBLE`, '"NaN"'],
  [`'-nan'::DOUBLE`, '"NaN"'],
  [`'inf'::DOUBLE`, '"Infinity"'],
  [`'-inf'::DOUBLE`, '"-Infinity"'],
  ['NULL::DOUBLE', 'null', ALONE],
  ['12.30::DECIMAL(12, 2)', '12.3', '12.30'],
  ['999999999999999::DECIMAL(15, 0)', '999999999999999', '999999999999999'],
  ['(-9999999999999.99)::DECIMAL(15, 2)', '-9999999999999.99', '-9999999999999.99'],
  ['(-0.05)::DECIMAL(2, 2)', '-0.05', '-0.05'],
  ['12.30::DECIMAL(16, 2)', '"12.30"'],
  ['(-0.5)::DECIMAL(38, 38)', `"-0.5${'0'.repeat(37)}"`],
  ['(-12345678901234567890.123456789012345678)::DECIMAL(38, 18)', '"-12345678901234567890.123456789012345678"'],
  ['NULL::DECIMAL(20, 2)', 'null', ALONE],
  [`DATE '2024-02-29'`, '"2024-02-29"'],
  [`DATE '0044-03-15 (BC)'`, '"0044-03-15 (BC)"'],
  [`DATE '5874897-12-31'`, '"5874897-12-31"'],
  [`'-infinity'::DATE`, '"-infinity"'],
  [`TIME '24:00:00'`, '"24:00:00"'],
  [`TIME '10:00:00.1'`, '"10:00:00.1"'],
  [`TIME '23:59:59.999999'`, '"23:59:59.999999"'],
  [`'23:59:59.999999999'::TIME_NS`, '"23:59:59.999999999"'],
  [`'10:00:00.5+05:30'::TIMETZ`, '"10:00:00.5+05:30"'],
  [`'10:00:00-05:00:07'::TIMETZ`, '"10:00:00-05:00:07"'],
  [`'10:00:00+15:59:59'::TIMETZ`, '"10:00:00+15:59:59"'],
  ['NULL::TIMETZ', 'null', ALONE],
  [`'\\x00\\xAB'::BLOB`, '"0x00ab"'],
  [`''::BLOB`, '"0x"'],
  ['NULL::BLOB', 'null', ALONE],
  [`'0101'::BIT`, '"0101"'],
  [`'c4ca4238-a0b9-2382-0dcc-509a6f75849b'::UUID`, '"c4ca4238-a0b9-2382-0dcc-509a6f75849b"'],
  [`'a"b'::ENUM('a"b', 'c')`, '"a\\"b"', '"a""b"'],
  [`INTERVAL '1 year -3 days 02:00:00.000001'`, '"1 year -3 days 02:00:00.000001"'],
  [`INTERVAL '-14 months' - INTERVAL '1 microsecond'`, '"-1 year -2 months -00:00:00.000001"'],
  ['NULL', 'null', ALONE],
  [`'POINT(1 2)'::GEOMETRY`, '"POINT (1 2)"'],
];

/** Fractions print with three digits at least and none that is a needless zero. */
const TIMESTAMPS: typeof CASES = [
  [`'2020-01-01 00:00:00'::TIMESTAMP`, '"2020-01-01 00:00:00.000 UTC"'],
  [`'2020-01-01 00:00:00.1'::TIMESTAMP`, '"2020-01-01 00:00:00.100 UTC"'],
  [`'2020-01-01 00:00:00.12'::TIMESTAMP`, '"2020-01-01 00:00:00.120 UTC"'],
  [`'2020-01-01 00:00:00.123'::TIMESTAMP`, '"2020-01-01 00:00:00.123 UTC"'],
  [`'2020-01-01 00:00:00.001'::TIMESTAMP`, '"2020-01-01 00:00:00.001 UTC"'],
  [`'2020-01-01 00:00:00.1234'::TIMESTAMP`, '"2020-01-01 00:00:00.1234 UTC"'],
  [`'2020-01-01 00:00:00.000001'::TIMESTAMP`, '"2020-01-01 00:00:00.000001 UTC"'],
  [`'1969-12-31 23:59:59.5'::TIMESTAMP`, '"1969-12-31 23:59:59.500 UTC"'],
  [`'0044-03-15 (BC) 10:00:00.5'::TIMESTAMP`, '"0044-03-15 (BC) 10:00:00.500 UTC"'],
  [`'294247-01-10 04:00:54.775806'::TIMESTAMP`, '"294247-01-10 04:00:54.775806 UTC"'],
  [`'290309-12-22 (BC) 00:00:00'::TIMESTAMP`, '"290309-12-22 (BC) 00:00:00.000 UTC"'],
  [`'infinity'::TIMESTAMP`, '"infinity"'],
  ['NULL::TIMESTAMP', 'null', ALONE],
  [`'2020-01-01 00:00:01'::TIMESTAMP_S`, '"2020-01-01 00:00:01.000 UTC"'],
  [`'infinity'::TIMESTAMP_S`, '"infinity"'],
  [`'2020-01-01 00:00:00.12'::TIMESTAMP_MS`, '"2020-01-01 00:00:00.120 UTC"'],
  [`'2020-01-01'::TIMESTAMP_NS`, '"2020-01-01 00:00:00.000 UTC"'],
  [`'2020-01-01 00:00:00.1'::TIMESTAMP_NS`, '"2020-01-01 00:00:00.100 UTC"'],
  [`'2020-01-01 00:00:00.12'::TIMESTAMP_NS`, '"2020-01-01 00:00:00.120 UTC"'],
  [`'2020-01-01 00:00:00.1234567'::TIMESTAMP_NS`, '"2020-01-01 00:00:00.1234567 UTC"'],
  [`'1677-09-22 00:12:43.145224193'::TIMESTAMP_NS`, '"1677-09-22 00:12:43.145224193 UTC"'],
  [`'-infinity'::TIMESTAMP_NS`, '"-infinity"'],
  ['NULL::TIMESTAMP_NS', 'null', ALONE],
  [`'2020-01-01 00:00:00.12+02'::TIMESTAMPTZ`, '"2019-12-31 22:00:00.120 UTC"'],
  [`'0001-01-01 00:00:00+00'::TIMESTAMPTZ`, '"0001-01-01 00:00:00.000 UTC"'],
  [`'infinity'::TIMESTAMPTZ`, '"infinity"'],
  [`'-infinity'::TIMESTAMPTZ`, '"-infinity"'],
  ['NULL::TIMESTAMPTZ', 'null', ALONE],
];

const TEXTS: typeof CASES = [
  [`''`, '""', '""'],
  ['NULL::VARCHAR', 'null', ALONE],
  [`' a '`, '" a "', ' a '],
  [`'a,b'`, '"a,b"', '"a,b"'],
  [`'say "a"'`, '"say \\"a\\""', '"say ""a"""'],
  [`'it''s \\ NaN'`, '"it\'s \\\\ NaN"', "it's \\ NaN"],
  [`'a' || chr(10) || 'b' || chr(13)`, '"a\\nb\\r"', '"a\nb\r"'],
  [`'a' || chr(0) || chr(31)`, '"a\\u0000\\u001F"', 'a\0\x1f'],
  [`'é😀' || chr(8232)`, '"é😀\u2028"', 'é😀\u2028'],
];

/**
 * JSON and VARIANT keep every token; only the white space between them goes, and what JSON does not
 * know is quoted.
 */
const DOCUMENTS: readonly [value: string, document: string][] = [
  [`'{ "a" : 1.10, "a":-0 }'::JSON`, '{"a":1.10,"a":-0}'],
  [`'[1e400,\t123456789012345678901234567890.0]'::JSON`, '[1e400,123456789012345678901234567890.0]'],
  [`'{"a b": "c  \\" d \\\\", "e":"\\u00e9" }'::JSON`, '{"a b":"c  \\" d \\\\","e":"\\u00e9"}'],
  [`'[NaN, "NaN", -Infinity, "a nan \\" inf"]'::JSON`, '["NaN","NaN","-Infinity","a nan \\" inf"]'],
  [`'null'::JSON`, 'null'],
  [
    `{'a': 1.50::DECIMAL(20, 2), 'b': 'inf'::DOUBLE, 'c': [NULL, 'NaN']}::VARIANT`,
    '{"a":1.50,"b":"Infinity","c":[null,"NaN"]}',
  ],
  [`170141183460469231731687303715884105727::VARIANT`, '170141183460469231731687303715884105727'],
];

describe('a stored scalar', () => {
  it.each([...CASES, ...TIMESTAMPS, ...TEXTS])('%s prints as %s', async (value, json, csv = json.slice(1, -1)) => {
    const text = await printer.print(`SELECT ${value} AS v`);
    expect(text).toMatchObject({ json: `{"v":${json}}\n`, csv: `${csv}\n`, csvRows: `${csv}\n` });
    expect(() => JSON.parse(text.json)).not.toThrow();
  });

  it.each(DOCUMENTS)('%s prints as a string of %s', async (value, document) => {
    const { json } = await printer.print(`SELECT ${value} AS v`);
    expect(JSON.parse(json)).toEqual({ v: document });
  });

  it.each(['JSON', 'VARIANT'])('of type %s is null for NULL', async (type) => {
    expect(await printer.print(`SELECT NULL::${type} AS v`)).toMatchObject({ json: '{"v":null}\n', csv: `${ALONE}\n` });
  });
});
