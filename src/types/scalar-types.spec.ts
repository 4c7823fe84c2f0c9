import { describe, expect, it } from '@jest/globals';
import { openConnection } from '../../test/support/connection.js';
import { raw } from '../duckdb/sql.js';
import { TypeInference } from '../processes/ingest/child/values/infer-type.js';
import { SCALAR_TYPES, type ScalarName } from './scalar-types.js';
import { recordOf } from './type-of.js';
import type { TypeRecord } from './type-record.js';

/** Types of the engine that need more than a name. */
const EXAMPLES: Readonly<Record<string, string>> = {
  array: 'INTEGER[2]',
  decimal: 'DECIMAL(9, 2)',
  enum: `ENUM('a')`,
  list: 'INTEGER[]',
  map: 'MAP(VARCHAR, INTEGER)',
  null: '"null"',
  struct: 'STRUCT(a INTEGER)',
  union: 'UNION(a INTEGER)',
};

/** The values of TYPE are types: a column of it is refused. */
const REFUSED = 'type';

/** Aliases, and what the engine describes as INTEGER: `duckdb_types()` leads to neither. */
const NOT_LISTED = ['JSON', 'NULL'];

const RECORDS = Object.entries<TypeRecord>(SCALAR_TYPES);

const connection = await openConnection();

describe('SCALAR_TYPES', () => {
  it('has a record of each type of the engine', async () => {
    const rows = await connection.rows(raw('SELECT DISTINCT lower(logical_type) FROM duckdb_types()'));
    const types = rows.map(([type]) => String(type)).filter((type) => type !== REFUSED);
    const columns = await connection.describe(
      raw(`SELECT ${types.map((type) => `NULL::${EXAMPLES[type] ?? type}`).join(', ')} LIMIT 0`),
    );
    const names = columns.flatMap(({ type }) => (type.kind === 'scalar' ? [type.name] : []));
    expect([...new Set([...names, ...NOT_LISTED])].sort()).toEqual(RECORDS.map(([name]) => name).sort());
  });

  it('refuses a column whose type has no record, at any depth', async () => {
    for (const value of [`NULL::${REFUSED}`, `[NULL::${REFUSED}]`]) {
      await expect(connection.describe(raw(`SELECT 1, ${value} AS a LIMIT 0`))).rejects.toMatchObject({
        type: 'Not implemented',
        message: 'Column 2 ("a") has a type that results cannot hold. Cast it to another type, such as VARCHAR.',
      });
    }
  });

  it('refuses a type of the catalog that has no record', () => {
    const unknown = { kind: 'scalar', name: 'TIME_PS' as ScalarName } as const;
    expect(() => recordOf(unknown)).toThrow(
      'The column type TIME_PS is unknown. Run the version of Eider that stored it.',
    );
  });

  it('names the types that are found in texts', () => {
    const texts = ['true', '1', '0.5', '2024-02-29', '2024-02-29 10:00:00', '2024-02-29T10:00:00Z', 'a'];
    const found = texts.map((text) => {
      const inference = new TypeInference();
      inference.add(Buffer.from(text), 0, text.length);
      const type = inference.type();
      return type.kind === 'scalar' ? type.name : type.kind;
    });
    const inferred = RECORDS.filter(([, { upload }]) => upload?.inferredFrom === 'texts').map(([name]) => name);
    expect(found.sort()).toEqual(inferred.sort());
  });
});
