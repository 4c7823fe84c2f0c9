import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LogicalType, ScalarName } from '../../types/column.js';
import { raw } from '../sql.js';
import { type Connection, Database } from './connection.js';

let database: Database;
let connection: Connection;

beforeAll(async () => {
  database = await Database.open({ threads: '1' });
  connection = await database.connect();
});

afterAll(() => {
  connection.close();
  database.close();
});

async function typeOf(value: string): Promise<LogicalType | undefined> {
  const [column] = await connection.describe(raw(`SELECT ${value} LIMIT 0`));
  return column?.type;
}

const scalar = (name: ScalarName): LogicalType => ({ kind: 'scalar', name });

describe('toLogicalType', () => {
  it.each<ScalarName>([
    'BOOLEAN',
    'TINYINT',
    'SMALLINT',
    'INTEGER',
    'BIGINT',
    'HUGEINT',
    'UTINYINT',
    'USMALLINT',
    'UINTEGER',
    'UBIGINT',
    'UHUGEINT',
    'BIGNUM',
    'FLOAT',
    'DOUBLE',
    'VARCHAR',
    'JSON',
    'BLOB',
    'BIT',
    'UUID',
    'DATE',
    'TIME',
    'TIME_NS',
    'TIMETZ',
    'TIMESTAMP',
    'TIMESTAMP_S',
    'TIMESTAMP_MS',
    'TIMESTAMP_NS',
    'TIMESTAMPTZ',
    'INTERVAL',
    'VARIANT',
    'GEOMETRY',
  ])('knows %s', async (name) => {
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
