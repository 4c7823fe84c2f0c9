import type { LogicalType, NamedType } from './column.js';
import { scalarTextSql } from './scalar-text.js';
import { identifier, join, quoted, raw, type Sql, sql } from './sql.js';

/**
 * SQL for the compact JSON text of a LIST, STRUCT, MAP or UNION, exact at any depth. Inside, values stand as they do in
 * a row, save that wide integers and decimals are always bare digits. A MAP is an object with the text of its keys; a UNION an
 * object with the one member that it holds, `{"tag":value}`; a STRUCT without field names, as made by `row(1, 'x')`, an array. NULL stays NULL.
 */
export function nestedJsonSql(value: Sql, type: LogicalType, depth = 0): Sql {
  switch (type.kind) {
    case 'list':
      return sql`'[' || ${joinedSql(value, depth, (element) => jsonSql(element, type.element, depth + 1))} || ']'`;
    case 'map':
      return sql`'{' || ${joinedSql(sql`map_entries(${value})`, depth, (entry) => entrySql(entry, type, depth + 1))} || '}'`;
    case 'struct':
      return structSql(value, type.fields, depth);
    case 'union':
      return unionSql(value, type.members, depth);
    default:
      return sql`CASE WHEN ${value} IS NOT NULL THEN ${jsonSql(value, type, depth)} END`;
  }
}

/** JSON text of any value, `null` for NULL. */
function jsonSql(value: Sql, type: LogicalType, depth: number): Sql {
  return sql`coalesce(${isNested(type) ? nestedJsonSql(value, type, depth) : scalarJsonSql(value, type)}, 'null')`;
}

function isNested(type: LogicalType): type is Extract<LogicalType, { kind: 'list' | 'map' | 'struct' | 'union' }> {
  return type.kind !== 'scalar' && type.kind !== 'decimal';
}

const BARE: ReadonlySet<string> = new Set([
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
  'JSON',
  'VARIANT',
]);

function scalarJsonSql(value: Sql, type: Extract<LogicalType, { kind: 'scalar' | 'decimal' }>): Sql {
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

/** Each element as text, with commas between. */
function joinedSql(list: Sql, depth: number, toText: (element: Sql) => Sql): Sql {
  const element = identifier(`element ${depth}`);
  return sql`array_to_string(list_transform(${list}, lambda ${element}: ${toText(element)}), ',')`;
}

function entrySql(entry: Sql, { key, value }: Extract<LogicalType, { kind: 'map' }>, depth: number): Sql {
  const keyValue = fieldSql(entry, 1);
  const keyText = isNested(key) ? nestedJsonSql(keyValue, key, depth) : scalarTextSql(keyValue, key);
  return sql`${stringSql(keyText)} || ':' || ${jsonSql(fieldSql(entry, 2), value, depth)}`;
}

function structSql(value: Sql, fields: readonly NamedType[], depth: number): Sql {
  const isUnnamed = fields.every((field) => field.name === '');
  const texts = fields.map((field, index) => {
    const text = jsonSql(fieldSql(value, index + 1), field.type, depth);
    return isUnnamed ? text : sql`${keySql(field.name)} || ${text}`;
  });
  const [open, close] = isUnnamed ? ['[', ']'] : ['{', '}'];
  const body = join(texts, ` || ',' || `);
  return sql`CASE WHEN ${value} IS NOT NULL THEN ${quoted(open)} || ${body} || ${quoted(close)} END`;
}

function unionSql(value: Sql, members: readonly NamedType[], depth: number): Sql {
  const cases = members.map(({ name, type }) => {
    const text = jsonSql(sql`union_extract(${value}, ${quoted(name)})`, type, depth);
    return sql`WHEN ${quoted(name)} THEN ${quoted('{')} || ${keySql(name)} || ${text} || '}'`;
  });
  return sql`CASE CAST(union_tag(${value}) AS VARCHAR) ${join(cases, ' ')} END`;
}

/** By place, because the fields of an unnamed struct have nothing else. */
function fieldSql(struct: Sql, place: number): Sql {
  return sql`struct_extract_at(${struct}, ${raw(String(place))})`;
}

function keySql(name: string): Sql {
  return quoted(`${JSON.stringify(name)}:`);
}
