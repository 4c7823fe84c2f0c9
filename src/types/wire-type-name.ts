import type { LogicalType, NamedType } from './column.js';
import { scalarRecord } from './type-of.js';

const PLAIN_NAME = /^[a-z_][a-z0-9_]*$/;

/** The name of a type in `column_types`, for example `row(a integer, "b c" array(varchar))`. */
export function toWireTypeName(type: LogicalType): string {
  switch (type.kind) {
    case 'scalar':
    case 'decimal':
      return scalarRecord(type).wireName;
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
