import { identifier, join, quoted, raw, type Sql, sql } from '../duckdb/sql.js';
import { isNested, type LogicalType, type NamedType, type NestedType, type ScalarType } from './column.js';
import { scalarTextSql } from './scalar-text.js';
import { isFloat, scalarRecord } from './type-of.js';
import { variantTextSql } from './value-text.js';

type MapType = Extract<LogicalType, { kind: 'map' }>;

/**
 * Each lambda inside a lambda doubles the time to bind, and the engine limits the depth of
 * expressions.
 */
const MAX_DEPTH = 10;

/**
 * SQL for the compact JSON text of a LIST, STRUCT, MAP or UNION, with every digit at any depth.
 * NULL stays NULL.
 *
 * Values are as in `docs/contract.md`, "JSON values", except that wide integers and decimals are
 * always bare digits. A MAP is an object with the text of its keys; a UNION an object with the
 * member that it holds, `{"tag":value}`; a STRUCT without field names, as made by `row(1, 'x')`, an
 * array. Deeper than {@link MAX_DEPTH} levels it is the engine's own JSON, with its own timestamps,
 * blobs and maps.
 */
export function nestedJsonSql(value: Sql, type: NestedType): Sql {
  return nestedSql(value, type, raw('NULL'), 0);
}

/**
 * Each level is one flat `concat` without macros (such as `array_to_string`), because the engine
 * limits the depth of expressions and binds the arguments of a macro twice.
 */
function nestedSql(value: Sql, type: NestedType, ifNull: Sql, depth: number): Sql {
  if (isPrintedExactly(type)) return sql`coalesce(${stringSql(value)}, ${ifNull})`;
  if (depth === MAX_DEPTH) return sql`CASE WHEN ${value} IS NULL THEN ${ifNull} ELSE ${engineJsonSql(value)} END`;
  if (type.kind === 'union') return unionSql(value, type.members, ifNull, depth);
  return sql`CASE WHEN ${value} IS NULL THEN ${ifNull} ELSE concat(${notNullParts(value, type, depth)}) END`;
}

function notNullParts(value: Sql, type: Exclude<NestedType, { kind: 'union' }>, depth: number): Sql[] {
  switch (type.kind) {
    case 'list':
      return [
        quoted('['),
        joinedSql(value, depth, (element) => jsonSql(element, type.element, depth + 1)),
        quoted(']'),
      ];
    case 'map':
      return [
        quoted('{'),
        joinedSql(sql`map_entries(${value})`, depth, (entry) => entrySql(entry, type, depth + 1)),
        quoted('}'),
      ];
    case 'struct':
      return structParts(value, type.fields, depth);
  }
}

/** A VARIANT prints all digits of a decimal, which `to_json` of a nested value does not. */
function engineJsonSql(value: Sql): Sql {
  return variantTextSql(sql`CAST(${value} AS VARIANT)`);
}

/** JSON text of any value, `null` for NULL. */
function jsonSql(value: Sql, type: LogicalType, depth: number): Sql {
  if (isNested(type)) return nestedSql(value, type, quoted('null'), depth);
  return sql`coalesce(${scalarJsonSql(value, type)}, 'null')`;
}

function scalarJsonSql(value: Sql, type: ScalarType): Sql {
  const record = scalarRecord(type);
  const text = scalarTextSql(value, type);
  if (isFloat(record)) return sql`CASE WHEN isfinite(${value}) THEN ${text} ELSE ${stringSql(text)} END`;
  return record.json === 'string' ? stringSql(text) : text;
}

function stringSql(text: Sql): Sql {
  return sql`CAST(to_json(${text}) AS VARCHAR)`;
}

/** The text of each element, with commas between; NULL for an empty list. */
function joinedSql(list: Sql, depth: number, toText: (element: Sql) => Sql): Sql {
  const element = identifier(`element ${depth}`);
  return sql`list_aggregate(list_transform(${list}, lambda ${element}: ${toText(element)}), 'string_agg', ',')`;
}

function entrySql(entry: Sql, { key, value }: MapType, depth: number): Sql {
  const keyValue = fieldSql(entry, 1);
  const keyText = isNested(key) ? nestedSql(keyValue, key, raw('NULL'), depth) : scalarTextSql(keyValue, key);
  return sql`concat(${stringSql(keyText)}, ':', ${jsonSql(fieldSql(entry, 2), value, depth)})`;
}

function structParts(value: Sql, fields: readonly NamedType[], depth: number): Sql[] {
  const isNamed = !isUnnamed(fields);
  const parts = fields.flatMap((field, index) => [
    quoted(`${index > 0 ? ',' : ''}${isNamed ? toKey(field.name) : ''}`),
    jsonSql(fieldSql(value, index + 1), field.type, depth + 1),
  ]);
  return isNamed ? [quoted('{'), ...parts, quoted('}')] : [quoted('['), ...parts, quoted(']')];
}

function unionSql(value: Sql, members: readonly NamedType[], ifNull: Sql, depth: number): Sql {
  const cases = members.map(({ name, type }) => {
    const text = jsonSql(sql`union_extract(${value}, ${quoted(name)})`, type, depth + 1);
    return sql`WHEN ${quoted(name)} THEN concat(${quoted(`{${toKey(name)}`)}, ${text}, '}')`;
  });
  return sql`CASE CAST(union_tag(${value}) AS VARCHAR) ${join(cases, ' ')} ELSE ${ifNull} END`;
}

/** By position, from 1, because the fields of an unnamed struct have nothing else. */
function fieldSql(struct: Sql, position: number): Sql {
  return sql`struct_extract_at(${struct}, ${raw(String(position))})`;
}

function toKey(name: string): string {
  return `${JSON.stringify(name)}:`;
}

/** Whether `to_json` alone prints this type right, at any depth: it is three times as fast. */
function isPrintedExactly(type: LogicalType): boolean {
  switch (type.kind) {
    case 'scalar':
    case 'decimal': {
      const { json, text } = scalarRecord(type);
      return text === 'engine' && (json === 'bare' || json === 'wide_integer' || json === 'string');
    }
    case 'union':
      return false;
    case 'list':
      return isPrintedExactly(type.element);
    case 'map':
      return !isNested(type.key) && isPrintedExactly(type.key) && isPrintedExactly(type.value);
    case 'struct':
      return !isUnnamed(type.fields) && type.fields.every((field) => isPrintedExactly(field.type));
  }
}

/** Whether the fields of a struct have no names, as in `row(1, 'x')`. */
function isUnnamed(fields: readonly NamedType[]): boolean {
  return fields.every((field) => field.name === '');
}
