import { describe, expect, it } from '@jest/globals';
import type { LogicalType } from './column.js';
import type { ScalarName } from './scalar-types.js';
import { toWireTypeName } from './wire-type-name.js';

const scalar = (name: ScalarName): LogicalType => ({ kind: 'scalar', name });
const INTEGER = scalar('INTEGER');
const VARCHAR = scalar('VARCHAR');

describe('toWireTypeName', () => {
  it.each<[ScalarName, string]>([
    ['BOOLEAN', 'boolean'],
    ['HUGEINT', 'hugeint'],
    ['UTINYINT', 'smallint'],
    ['USMALLINT', 'integer'],
    ['UINTEGER', 'bigint'],
    ['UBIGINT', 'decimal(20, 0)'],
    ['UHUGEINT', 'uint256'],
    ['BIGNUM', 'int256'],
    ['FLOAT', 'real'],
    ['BLOB', 'varbinary'],
    ['ENUM', 'varchar'],
    ['TIME_NS', 'time'],
    ['TIMETZ', 'time with time zone'],
    ['TIMESTAMP_NS', 'timestamp'],
    ['TIMESTAMPTZ', 'timestamp with time zone'],
    ['JSON', 'json'],
    ['VARIANT', 'json'],
    ['NULL', 'varchar'],
  ])('calls %s %s', (name, wireName) => {
    expect(toWireTypeName(scalar(name))).toBe(wireName);
  });

  it.each<[string, LogicalType]>([
    ['decimal(18, 3)', { kind: 'decimal', precision: 18, scale: 3 }],
    ['array(array(integer))', { kind: 'list', element: { kind: 'list', element: INTEGER } }],
    ['array(smallint)', { kind: 'list', element: scalar('UTINYINT') }],
    ['map(varchar, integer)', { kind: 'map', key: VARCHAR, value: INTEGER }],
    [
      'row(a integer, "b c" varchar)',
      {
        kind: 'struct',
        fields: [
          { name: 'a', type: INTEGER },
          { name: 'b c', type: VARCHAR },
        ],
      },
    ],
    [
      'row("A" integer, "1" integer, "x""y" integer)',
      { kind: 'struct', fields: ['A', '1', 'x"y'].map((name) => ({ name, type: INTEGER })) },
    ],
    [
      'row(integer, varchar)',
      {
        kind: 'struct',
        fields: [
          { name: '', type: INTEGER },
          { name: '', type: VARCHAR },
        ],
      },
    ],
    ['json', { kind: 'union', members: [{ name: 'a', type: INTEGER }] }],
  ])('writes %s', (wireName, type) => {
    expect(toWireTypeName(type)).toBe(wireName);
  });
});
