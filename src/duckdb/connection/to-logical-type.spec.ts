import { describe, expect, it } from '@jest/globals';
import { openConnection } from '../../../test/support/connection.js';
import type { LogicalType } from '../../types/column.js';
import { SCALAR_TYPES, type ScalarName } from '../../types/scalar-types.js';
import { raw } from '../sql.js';

const connection = await openConnection();

async function typeOf(value: string): Promise<LogicalType | undefined> {
  const [column] = await connection.describe(raw(`SELECT ${value} LIMIT 0`));
  return column?.type;
}

const scalar = (name: ScalarName): LogicalType => ({ kind: 'scalar', name });

/** The engine describes NULL as INTEGER, and an ENUM needs values. */
const NAMED = (Object.keys(SCALAR_TYPES) as ScalarName[]).filter((name) => name !== 'NULL' && name !== 'ENUM');

describe('toLogicalType', () => {
  it.each(NAMED)('knows %s', async (name) => {
    expect(await typeOf(`NULL::${name}`)).toEqual(scalar(name));
  });

  it('knows the type that the engine gives a bare NULL, and that of an ENUM', async () => {
    expect(await typeOf('NULL')).toEqual(scalar('INTEGER'));
    expect(await typeOf(`'a'::ENUM('a', 'b')`)).toEqual(scalar('ENUM'));
  });

  it.each<[string, LogicalType]>([
    ['1.5::DECIMAL(18, 3)', { kind: 'decimal', precision: 18, scale: 3 }],
    [`['{}'::JSON]`, { kind: 'list', element: scalar('JSON') }],
    ['[[1], [2]]::INTEGER[1][2]', { kind: 'list', element: { kind: 'list', element: scalar('INTEGER') } }],
    [
      `{'a': 1, 'B c': true}`,
      {
        kind: 'struct',
        fields: [
          { name: 'a', type: scalar('INTEGER') },
          { name: 'B c', type: scalar('BOOLEAN') },
        ],
      },
    ],
    [
      `row(1, 'x')`,
      {
        kind: 'struct',
        fields: [
          { name: '', type: scalar('INTEGER') },
          { name: '', type: scalar('VARCHAR') },
        ],
      },
    ],
    [`MAP {'a': 1}`, { kind: 'map', key: scalar('VARCHAR'), value: scalar('INTEGER') }],
    ['union_value(a := 1)', { kind: 'union', members: [{ name: 'a', type: scalar('INTEGER') }] }],
  ])('takes %s apart', async (value, type) => {
    expect(await typeOf(value)).toEqual(type);
  });
});
