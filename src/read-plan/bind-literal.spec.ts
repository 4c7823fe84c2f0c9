import { describe, expect, it } from '@jest/globals';
import type { Column, LogicalType } from '../types/column.js';
import type { Literal } from '../types/literals/literal.js';
import type { ScalarName } from '../types/scalar-types.js';
import { bindLiteral } from './bind-literal.js';
import { parseFilter } from './parse-filter.js';

function literal(written: string): Literal {
  const filter = parseFilter(`a = ${written}`);
  if (filter.kind !== 'comparison') throw new Error('A comparison was written.');
  return filter.value;
}

function column(type: string): Column {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? [];
  const logical: LogicalType =
    precision === undefined
      ? { kind: 'scalar', name: type as ScalarName }
      : { kind: 'decimal', precision: Number(precision), scale: Number(scale) };
  return { name: 'a', type: logical, storedAs: 'same', isSafeInteger: false };
}

/** `=`, `>` or `<` is where the literal stands; then the bound text. */
function bound(type: string, written: string): string {
  const { text, literalIs } = bindLiteral(literal(written), column(type));
  return `${{ equal: '=', above: '>', below: '<' }[literalIs]} ${text}`;
}

const FITTING: [type: string, written: string, bound: string][] = [
  ['INTEGER', '5', '= 5'],
  ['INTEGER', `'5'`, '= 5'],
  ['INTEGER', '-0', '= 0'],
  ['INTEGER', '+007', '= 7'],
  ['INTEGER', '5.0', '= 5'],
  ['INTEGER', '1e2', '= 100'],
  ['INTEGER', '1200e-2', '= 12'],
  ['INTEGER', '5.5', '> 5'],
  ['INTEGER', '-5.5', '> -6'],
  ['INTEGER', '0.0001', '> 0'],
  ['INTEGER', '-1e-99999999999999999999', '> -1'],
  ['INTEGER', '2147483647.5', '> 2147483647'],
  ['INTEGER', '-2147483648.5', '< -2147483648'],
  ['TINYINT', '300', '> 127'],
  ['TINYINT', '-129', '< -128'],
  ['UTINYINT', '-1', '< 0'],
  ['BIGINT', '9007199254740993', '= 9007199254740993'],
  ['BIGINT', '1e99999999999999999999', '> 9223372036854775807'],
  ['BIGINT', '-1e400', '< -9223372036854775808'],
  ['UBIGINT', '18446744073709551615', '= 18446744073709551615'],
  ['UHUGEINT', '340282366920938463463374607431768211456', '> 340282366920938463463374607431768211455'],
  ['HUGEINT', '-170141183460469231731687303715884105728', '= -170141183460469231731687303715884105728'],
  ['BIGNUM', `'${'9'.repeat(60)}'`, `= ${'9'.repeat(60)}`],
  ['BIGNUM', '1e999', `= 1${'0'.repeat(999)}`],
  ['BIGNUM', '-0.5', '> -1'],
  ['DECIMAL(9,2)', '1.23', '= 1.23'],
  ['DECIMAL(9,2)', '-1.2', '= -1.20'],
  ['DECIMAL(9,2)', '.05', '= 0.05'],
  ['DECIMAL(9,2)', '1.234', '> 1.23'],
  ['DECIMAL(9,2)', '-1.234', '> -1.24'],
  ['DECIMAL(9,2)', '10000000', '> 9999999.99'],
  ['DECIMAL(38,10)', '1e28', `> ${'9'.repeat(28)}.${'9'.repeat(10)}`],
  ['DECIMAL(3,3)', '-0.001', '= -0.001'],
  ['FLOAT', '0.1', '= 0.10000000149011612'],
  ['FLOAT', '1e39', '> 3.4028234663852886e+38'],
  ['FLOAT', '-1e39', '< -3.4028234663852886e+38'],
  ['DOUBLE', '0.1', '= 0.1'],
  ['DOUBLE', `'1e5'`, '= 100000'],
  ['DOUBLE', '1e309', '> 1.7976931348623157e+308'],
  ['DOUBLE', '1e-400', '= 0'],
  ['DOUBLE', `'NaN'`, '= NaN'],
  ['DOUBLE', `'-Infinity'`, '= -Infinity'],
  ['BOOLEAN', 'TRUE', '= true'],
  ['BOOLEAN', `'False'`, '= False'],
  ['VARCHAR', `''`, '= '],
  ['VARCHAR', `'5'`, '= 5'],
  ['ENUM', `'small'`, '= small'],
  ['JSON', `'{"a":1}'`, '= {"a":1}'],
  ['BLOB', '0x00fFab', '= \\x00\\xfF\\xab'],
  ['BLOB', `'0x2741'`, '= \\x27\\x41'],
  ['BLOB', '0x', '= '],
  ['UUID', `'C0FFEE00-c0ff-ee00-c0ff-ee00c0ffee00'`, '= C0FFEE00-c0ff-ee00-c0ff-ee00c0ffee00'],
  ['DATE', `'2024-02-29'`, '= 2024-02-29'],
  ['DATE', `'2024-02-29 00:00:00.000 UTC'`, '= 2024-02-29'],
  ['DATE', `'2024-02-29 12:00'`, '> 2024-02-29'],
  ['DATE', `'2024-03-01T01:00:00+02:00'`, '> 2024-02-29'],
  ['DATE', `'0044-03-15 (BC)'`, '= 0044-03-15 (BC)'],
  ['DATE', `'9999999-01-01'`, '> 5881580-07-10'],
  ['DATE', `'infinity'`, '= infinity'],
  ['TIMESTAMP', `'2024-02-29'`, '= 2024-02-29 00:00:00.000000'],
  ['TIMESTAMP', `'2024-02-29T10:20'`, '= 2024-02-29 10:20:00.000000'],
  ['TIMESTAMP', `'2024-02-29T10:20:30.5Z'`, '= 2024-02-29 10:20:30.500000'],
  ['TIMESTAMP', `'2024-02-29 10:20:30.123456 UTC'`, '= 2024-02-29 10:20:30.123456'],
  ['TIMESTAMP', `'2024-03-01T00:30:00+02:00'`, '= 2024-02-29 22:30:00.000000'],
  ['TIMESTAMP', `'2024-02-29T22:30:00-0230'`, '= 2024-03-01 01:00:00.000000'],
  ['TIMESTAMP', `'2024-02-29 22:30:00+02'`, '= 2024-02-29 20:30:00.000000'],
  ['TIMESTAMP', `'2024-02-29 10:20:30.123456789'`, '> 2024-02-29 10:20:30.123456'],
  ['TIMESTAMP', `'1969-12-31 23:59:59.999999999'`, '> 1969-12-31 23:59:59.999999'],
  ['TIMESTAMP', `'300000-01-01'`, '> 294247-01-10 04:00:54.775806'],
  ['TIMESTAMP', `'300000-01-01 (BC)'`, '< 290309-12-22 (BC) 00:00:00.000000'],
  ['TIMESTAMP', `'-Infinity UTC'`, '= -infinity'],
  ['TIMESTAMP_NS', `'2024-02-29 10:20:30.123456789'`, '= 2024-02-29 10:20:30.123456789'],
  ['TIMESTAMP_NS', `'2300-01-01'`, '> 2262-04-11 23:47:16.854775806'],
  ['TIMESTAMPTZ', `'2024-02-29T10:20:30+01:00'`, '= 2024-02-29 09:20:30.000000+00'],
  ['TIME', `'10:20'`, '= 10:20:00.000000'],
  ['TIME', `'10:20:30.5'`, '= 10:20:30.500000'],
  ['TIME', `'10:20:30.1234567'`, '> 10:20:30.123456'],
  ['TIME', `'24:00:00'`, '= 24:00:00'],
  ['TIME_NS', `'10:20:30.123456789'`, '= 10:20:30.123456789'],
  ['TIMETZ', `'10:20:30'`, '= 10:20:30.000000+00:00'],
  ['TIMETZ', `'10:20:30.5-02:30'`, '= 10:20:30.500000-02:30'],
  ['INTERVAL', `'1 year 2 months 3 days 04:05:06.7'`, '= 14 months 3 days 14706700000 microseconds'],
  ['INTERVAL', `'-1 day'`, '= 0 months -1 days 0 microseconds'],
  ['INTERVAL', `'-00:00:00.000001'`, '= 0 months 0 days -1 microseconds'],
  ['INTERVAL', `'2 Weeks 90 minutes'`, '= 0 months 14 days 5400000000 microseconds'],
];

const NOT_FITTING: [type: string, written: string][] = [
  ['INTEGER', `'abc'`],
  ['INTEGER', `''`],
  ['INTEGER', `' 5'`],
  ['INTEGER', `'1_000'`],
  ['INTEGER', `'.'`],
  ['INTEGER', `'e5'`],
  ['INTEGER', `'NaN'`],
  ['INTEGER', 'TRUE'],
  ['INTEGER', '0xFF'],
  ['BIGNUM', '1e1000'],
  ['DECIMAL(9,2)', `'1,5'`],
  ['DOUBLE', `'five'`],
  ['DOUBLE', 'FALSE'],
  ['BOOLEAN', '1'],
  ['BOOLEAN', `'yes'`],
  ['BOOLEAN', `'t'`],
  ['VARCHAR', '5'],
  ['VARCHAR', 'TRUE'],
  ['VARCHAR', '0xFF'],
  ['BLOB', '0xABC'],
  ['BLOB', `'abc'`],
  ['BLOB', '5'],
  ['UUID', `'c0ffee'`],
  ['UUID', '5'],
  ['DATE', '20240229'],
  ['DATE', `'2024-02-30'`],
  ['DATE', `'2023-02-29'`],
  ['DATE', `'1900-02-29'`],
  ['DATE', `'2024-13-01'`],
  ['DATE', `'2024-00-01'`],
  ['DATE', `'2024-1-1'`],
  ['DATE', `'yesterday'`],
  ['DATE', `'2024-02-29x'`],
  ['TIMESTAMP', `'2024-02-29 24:00:00'`],
  ['TIMESTAMP', `'2024-02-29 10:60'`],
  ['TIMESTAMP', `'2024-02-29 10:20:60'`],
  ['TIMESTAMP', `'2024-02-29 10'`],
  ['TIMESTAMP', `'2024-02-29 10:20:30.1234567890'`],
  ['TIMESTAMP', `'2024-02-29 10:20:30+16:00'`],
  ['TIMESTAMP', `'2024-02-29 10:20:30 CET'`],
  ['TIMESTAMP', '1709164800'],
  ['TIME', `'25:00:00'`],
  ['TIME', `'24:00:01'`],
  ['TIME', `'2024-02-29'`],
  ['TIME', `'10:20:30+02'`],
  ['TIMETZ', `'10:20:30.1234567'`],
  ['TIMETZ', `'10:20:30 CET'`],
  ['INTERVAL', `''`],
  ['INTERVAL', `'5'`],
  ['INTERVAL', `'5 parsecs'`],
  ['INTERVAL', `'1 day 00:99:00'`],
  ['INTERVAL', `'999999999 years'`],
  ['INTERVAL', '5'],
];

describe('bindLiteral', () => {
  it.each(FITTING)('fits to %s the literal %s: %s', (type, written, expected) => {
    expect(bound(type, written)).toBe(expected);
  });

  it.each(NOT_FITTING)('rejects for %s the literal %s', (type, written) => {
    expect(() => bound(type, written)).toThrow(expect.objectContaining({ code: 'literal_type', kind: 'invalid' }));
  });

  it('names the column, its type, what it takes and what it got', () => {
    expect(() => bound('BIGINT', `'abc'`)).toThrow(
      `filters: column "a" has type bigint and takes a number or a numeric string, got 'abc'`,
    );
    expect(() => bound('VARCHAR', '5')).toThrow(
      'filters: column "a" has type varchar and takes a string in single quotes, got 5',
    );
  });

  it('compares a 128-bit integer in the decimal type that it is stored in', () => {
    const stored: Column = { ...column('HUGEINT'), storedAs: 'decimal' };
    expect(bindLiteral(literal('5'), stored)).toEqual({ text: '5', castTo: 'DECIMAL(38,0)', literalIs: 'equal' });
    expect(bindLiteral(literal('1e38'), stored)).toMatchObject({ text: '9'.repeat(38), literalIs: 'above' });
  });
});
