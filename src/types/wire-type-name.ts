import type { LogicalType, NamedType, ScalarName } from './column.js';

/**
 * Names for `column_types` (`interface.md`, section 4). A type that clients do not know has the name of the next one that
 * holds its values; only the name changes, values and comparisons stay those of the engine's type. Types that reach a
 * client as plain text are `varchar`; VARIANT, like UNION, reaches a client as JSON text and is `json`.
 */
const WIRE_NAMES: Record<ScalarName, string> = {
  BOOLEAN: 'boolean',
  TINYINT: 'tinyint',
  SMALLINT: 'smallint',
  INTEGER: 'integer',
  BIGINT: 'bigint',
  HUGEINT: 'hugeint',
  UTINYINT: 'smallint',
  USMALLINT: 'integer',
  UINTEGER: 'bigint',
  UBIGINT: 'decimal(20, 0)',
  UHUGEINT: 'uint256',
  BIGNUM: 'int256',
  FLOAT: 'real',
  DOUBLE: 'double',
  VARCHAR: 'varchar',
  JSON: 'json',
  BLOB: 'varbinary',
  BIT: 'varchar',
  UUID: 'uuid',
  ENUM: 'varchar',
  DATE: 'date',
  TIME: 'time',
  TIME_NS: 'time',
  TIMETZ: 'time with time zone',
  TIMESTAMP: 'timestamp',
  TIMESTAMP_S: 'timestamp',
  TIMESTAMP_MS: 'timestamp',
  TIMESTAMP_NS: 'timestamp',
  TIMESTAMPTZ: 'timestamp with time zone',
  INTERVAL: 'interval',
  VARIANT: 'json',
  GEOMETRY: 'varchar',
  NULL: 'varchar',
};

const PLAIN_NAME = /^[a-z_][a-z0-9_]*$/;

/** The name of a type in `column_types`, for example `row(a integer, "b c" array(varchar))`. */
export function toWireTypeName(type: LogicalType): string {
  switch (type.kind) {
    case 'scalar':
      return WIRE_NAMES[type.name];
    case 'decimal':
      return `decimal(${type.precision}, ${type.scale})`;
    case 'list':
      return `array(${toWireTypeName(type.element)})`;
    case 'map':
      return `map(${toWireTypeName(type.key)}, ${toWireTypeName(type.value)})`;
    case 'struct':
      return `row(${type.fields.map(toWireField).join(', ')})`;
    case 'union':
      return 'json';
  }
}

/** Fields of an unnamed struct, as made by `row(1, 'x')`, have no name to write. */
function toWireField({ name, type }: NamedType): string {
  const typeName = toWireTypeName(type);
  if (name === '') return typeName;
  return `${PLAIN_NAME.test(name) ? name : `"${name.replaceAll('"', '""')}"`} ${typeName}`;
}
