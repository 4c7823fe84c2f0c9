import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import type { LogicalType, NamedType, ScalarName } from '../../types/column.js';

const SCALARS: Partial<Record<DuckDBTypeId, ScalarName>> = {
  [DuckDBTypeId.BOOLEAN]: 'BOOLEAN',
  [DuckDBTypeId.TINYINT]: 'TINYINT',
  [DuckDBTypeId.SMALLINT]: 'SMALLINT',
  [DuckDBTypeId.INTEGER]: 'INTEGER',
  [DuckDBTypeId.BIGINT]: 'BIGINT',
  [DuckDBTypeId.HUGEINT]: 'HUGEINT',
  [DuckDBTypeId.UTINYINT]: 'UTINYINT',
  [DuckDBTypeId.USMALLINT]: 'USMALLINT',
  [DuckDBTypeId.UINTEGER]: 'UINTEGER',
  [DuckDBTypeId.UBIGINT]: 'UBIGINT',
  [DuckDBTypeId.UHUGEINT]: 'UHUGEINT',
  [DuckDBTypeId.BIGNUM]: 'BIGNUM',
  [DuckDBTypeId.FLOAT]: 'FLOAT',
  [DuckDBTypeId.DOUBLE]: 'DOUBLE',
  [DuckDBTypeId.VARCHAR]: 'VARCHAR',
  [DuckDBTypeId.BLOB]: 'BLOB',
  [DuckDBTypeId.BIT]: 'BIT',
  [DuckDBTypeId.UUID]: 'UUID',
  [DuckDBTypeId.ENUM]: 'ENUM',
  [DuckDBTypeId.DATE]: 'DATE',
  [DuckDBTypeId.TIME]: 'TIME',
  [DuckDBTypeId.TIME_NS]: 'TIME_NS',
  [DuckDBTypeId.TIME_TZ]: 'TIMETZ',
  [DuckDBTypeId.TIMESTAMP]: 'TIMESTAMP',
  [DuckDBTypeId.TIMESTAMP_S]: 'TIMESTAMP_S',
  [DuckDBTypeId.TIMESTAMP_MS]: 'TIMESTAMP_MS',
  [DuckDBTypeId.TIMESTAMP_NS]: 'TIMESTAMP_NS',
  [DuckDBTypeId.TIMESTAMP_TZ]: 'TIMESTAMPTZ',
  [DuckDBTypeId.INTERVAL]: 'INTERVAL',
  [DuckDBTypeId.VARIANT]: 'VARIANT',
  [DuckDBTypeId.GEOMETRY]: 'GEOMETRY',
  [DuckDBTypeId.SQLNULL]: 'NULL',
};

/** The engine's type of a result column as plain data. Throws on a type that no result has, such as that of an unbound parameter. */
export function toLogicalType(type: DuckDBType): LogicalType {
  switch (type.typeId) {
    case DuckDBTypeId.DECIMAL:
      return { kind: 'decimal', precision: type.width, scale: type.scale };
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return { kind: 'list', element: toLogicalType(type.valueType) };
    case DuckDBTypeId.STRUCT:
      return { kind: 'struct', fields: toNamedTypes(type.entryNames, type.entryTypes) };
    case DuckDBTypeId.MAP:
      return { kind: 'map', key: toLogicalType(type.keyType), value: toLogicalType(type.valueType) };
    case DuckDBTypeId.UNION:
      return { kind: 'union', members: toNamedTypes(type.memberTags, type.memberTypes) };
    default:
      return { kind: 'scalar', name: toScalarName(type) };
  }
}

function toNamedTypes(names: readonly string[], types: readonly DuckDBType[]): NamedType[] {
  return types.map((type, index) => ({ name: names[index] ?? '', type: toLogicalType(type) }));
}

/** JSON is a VARCHAR with an alias. */
function toScalarName(type: DuckDBType): ScalarName {
  if (type.typeId === DuckDBTypeId.VARCHAR && type.alias === 'JSON') return 'JSON';
  const name = SCALARS[type.typeId];
  if (name === undefined) throw new TypeError(`No column has the engine type ${DuckDBTypeId[type.typeId]}`);
  return name;
}
