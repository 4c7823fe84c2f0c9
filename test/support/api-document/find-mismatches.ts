/** A schema of an OpenAPI 3.0 document, as far as this service writes them. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly format?: 'date-time' | 'uri' | 'binary';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** By name. */
export type Schemas = Readonly<Record<string, Schema>>;

const CHECKED = new Set([
  '$ref',
  'type',
  'nullable',
  'enum',
  'format',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'oneOf',
  'allOf',
]);
const ANNOTATIONS = new Set(['description', 'example']);

const FORMATS: Readonly<Record<NonNullable<Schema['format']>, (text: string) => boolean>> = {
  'date-time': (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/.test(text),
  uri: (text) => URL.canParse(text),
  binary: () => true,
};

/**
 * Reports where a JSON value is not what a schema asks for. Stricter than JSON Schema: a key that
 * the schema does not name is a mismatch.
 *
 * @throws if the schema has a keyword that is not checked here.
 */
export function findMismatches(value: unknown, schema: Schema, schemas: Schemas, place = 'body'): string[] {
  const unknown = Object.keys(schema).filter((key) => !CHECKED.has(key) && !ANNOTATIONS.has(key));
  if (unknown.length > 0) throw new Error(`${place}: no check for ${unknown.join(', ')} of its schema`);
  if (schema.$ref !== undefined) {
    const referred = schemas[schema.$ref.replace('#/components/schemas/', '')];
    return referred ? findMismatches(value, referred, schemas, place) : [`${place}: there is no schema ${schema.$ref}`];
  }
  if (value === null) return takesNull(schema) ? [] : [`${place}: is null`];
  const within = (one: Schema) => findMismatches(value, one, schemas, place);
  const all = (schema.allOf ?? []).flatMap(within);
  const alternatives = (schema.oneOf ?? []).map(within);
  const fits = alternatives.length === 0 || alternatives.some((mismatches) => mismatches.length === 0);
  const own = [
    ...(schema.type && !isOfType(value, schema.type) ? [`${place}: is no ${schema.type}`] : []),
    ...(schema.enum && !schema.enum.includes(value) ? [`${place}: is none of ${schema.enum.join(', ')}`] : []),
  ];
  if (own.length > 0) return own;
  if (typeof value === 'string') own.push(...findTextMismatches(value, schema, place));
  if (typeof value === 'number') own.push(...findNumberMismatches(value, schema, place));
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) throw new Error(`${place}: its schema has no items`);
    own.push(...findLengthMismatches(value, schema, place));
    own.push(...value.flatMap((item, index) => findMismatches(item, items, schemas, `${place}[${index}]`)));
  } else if (schema.type === 'object') own.push(...findKeyMismatches(value, schema, schemas, place));
  return [...all, ...(fits ? [] : alternatives.flat()), ...own];
}

function takesNull({ nullable, oneOf = [] }: Schema): boolean {
  return nullable === true || oneOf.some(takesNull);
}

function isOfType(value: unknown, type: NonNullable<Schema['type']>): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type && !Array.isArray(value);
}

function findTextMismatches(
  text: string,
  { format, minLength = 0, maxLength, pattern }: Schema,
  place: string,
): string[] {
  const mismatches: string[] = [];
  if (format && !FORMATS[format](text)) mismatches.push(`${place}: is no ${format}`);
  if (text.length < minLength) mismatches.push(`${place}: is too short`);
  if (text.length > (maxLength ?? text.length)) mismatches.push(`${place}: is too long`);
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text))
    mismatches.push(`${place}: is not like ${pattern}`);
  return mismatches;
}

function findNumberMismatches(value: number, { minimum = value, maximum = value }: Schema, place: string): string[] {
  return value < minimum || value > maximum ? [`${place}: is out of bounds`] : [];
}

function findLengthMismatches({ length }: readonly unknown[], schema: Schema, place: string): string[] {
  const { minItems = 0, maxItems = length } = schema;
  return length < minItems || length > maxItems ? [`${place}: has ${length} items`] : [];
}

function findKeyMismatches(value: unknown, schema: Schema, schemas: Schemas, place: string): string[] {
  const { properties = {}, required = [], additionalProperties } = schema;
  const missing = required
    .filter((key) => !Object.hasOwn(Object(value), key))
    .map((key) => `${place}.${key}: is missing`);
  const found = Object.entries(Object(value)).flatMap(([key, one]) => {
    const known = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    return known ? findMismatches(one, known, schemas, `${place}.${key}`) : [`${place}.${key}: is not documented`];
  });
  return [...missing, ...found];
}
