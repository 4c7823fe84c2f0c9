import { identifier, join, quoted, raw, type Sql, sql } from '../duckdb/sql.js';
import type { LogicalType, NamedType } from './column.js';
import { INTEGER_NAMES, isPrintedExactly } from './exact-json.js';
import { isNested, isUnnamed, type NestedType, type ScalarType } from './nested-type.js';
import { scalarTextSql } from './scalar-text.js';

type MapType = Extract<LogicalType, { kind: 'map' }>;

/** The engine takes twice as long to bind for each lambda inside a lambda, and limits the depth of expressions. */
const MAX_DEPTH = 10;

/**
 * SQL for the compact JSON text of a LIST, STRUCT, MAP or UNION, with every digit at any depth. NULL stays NULL.
 *
 * Inside, values stand as they do in a row (`interface.md`, section 4), save that wide integers and decimals are always
 * bare digits. A MAP is an object with the text of its keys; a UNION an object with the member that it holds,
 * `{"tag":value}`; a STRUCT without field names, as made by `row(1, 'x')`, an array. Below {@link MAX_DEPTH}
 * levels the engine's own JSON takes over, which spells timestamps, blobs and maps its own way.
 */
export function nestedJsonSql(value: Sql, type: NestedType): Sql {
  return nestedSql(value, type, raw('NULL'), 0);
}

/**
 * The parts of a level are laid flat (`concat`, no chain of `||`) and none is a macro (such as `array_to_string`), because
 * the engine limits the depth of expressions and binds what is inside a macro twice.
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
  return scalarTextSql(sql`CAST(${value} AS VARIANT)`, { kind: 'scalar', name: 'VARIANT' });
}

/** JSON text of any value, `null` for NULL. */
function jsonSql(value: Sql, type: LogicalType, depth: number): Sql {
  if (isNested(type)) return nestedSql(value, type, quoted('null'), depth);
  return sql`coalesce(${scalarJsonSql(value, type)}, 'null')`;
}

/** Scalars whose text is JSON already. */
const BARE: ReadonlySet<string> = new Set([...INTEGER_NAMES, 'BOOLEAN', 'BIGNUM', 'JSON', 'VARIANT']);

function scalarJsonSql(value: Sql, type: ScalarType): Sql {
  const text = scalarTextSql(value, type);
  if (type.kind === 'decimal' || BARE.has(type.name)) return text;
  if (type.name === 'FLOAT' || type.name === 'DOUBLE') {
    return sql`CASE WHEN isfinite(${value}) THEN ${text} ELSE ${stringSql(text)} END`;
  }
  return stringSql(text);
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

/** By place, because the fields of an unnamed struct have nothing else. */
function fieldSql(struct: Sql, place: number): Sql {
  return sql`struct_extract_at(${struct}, ${raw(String(place))})`;
}

function toKey(name: string): string {
  return `${JSON.stringify(name)}:`;
}
