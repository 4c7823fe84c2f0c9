import { identifier, join, raw, type Sql, sql } from '../duckdb/sql.js';
import type { LogicalType, NamedType } from './column.js';
import { scalarRecord } from './type-of.js';

/** The name of a type as the engine reads it in a cast. */
export function typeToSql(type: LogicalType): Sql {
  switch (type.kind) {
    case 'scalar':
      return raw(scalarRecord(type).castName ?? `"${type.name}"`);
    case 'decimal':
      return raw(`DECIMAL(${type.precision}, ${type.scale})`);
    case 'list':
      return sql`${typeToSql(type.element)}[]`;
    case 'map':
      return sql`MAP(${typeToSql(type.key)}, ${typeToSql(type.value)})`;
    case 'struct':
      return sql`STRUCT(${type.fields.map(fieldToSql)})`;
    case 'union':
      return sql`UNION(${type.members.map(fieldToSql)})`;
  }
}

function fieldToSql({ name, type }: NamedType): Sql {
  return join([identifier(name), typeToSql(type)], ' ');
}
