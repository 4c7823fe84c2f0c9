import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import type { LogicalType, NamedType } from '../../types/column.js';
import { SCALAR_TYPES, type ScalarName } from '../../types/scalar-types.js';
import type { TypeRecord } from '../../types/type-record.js';

/** Names of scalar types by those of their ids. */
const NAMES = new Map(
  Object.entries<TypeRecord>(SCALAR_TYPES).map(([name, { engineId = name }]) => [engineId, name as ScalarName]),
);

/**
 * The engine's type of a result column as plain data.
 * @throws {TypeError} for a type without a record, such as that of an unbound parameter.
 */
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
function toScalarName({ typeId, alias }: DuckDBType): ScalarName {
  if (typeId === DuckDBTypeId.VARCHAR && alias === 'JSON') return 'JSON';
  const id = DuckDBTypeId[typeId];
  const name = NAMES.get(id);
  if (name === undefined) throw new TypeError(`No record for the engine type ${id}`);
  return name;
}
