import type { LogicalType, NamedType } from './column.js';

/** A type whose values have no parts. */
export type ScalarType = Extract<LogicalType, { kind: 'scalar' | 'decimal' }>;

/** A type whose values have parts; results hold them as JSON text. */
export type NestedType = Exclude<LogicalType, ScalarType>;

/** Whether a type's values have parts. */
export function isNested(type: LogicalType): type is NestedType {
  return type.kind !== 'scalar' && type.kind !== 'decimal';
}

/** Whether a struct's fields are told apart by their place only, as in `row(1, 'x')`. */
export function isUnnamed(fields: readonly NamedType[]): boolean {
  return fields.every((field) => field.name === '');
}
