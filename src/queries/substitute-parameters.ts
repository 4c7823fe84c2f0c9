import { MAX_STATEMENT_BYTES } from '../duckdb/statement-size.js';
import { type CheckedValue, checkValue } from './check-value.js';
import { type GivenParameters, type Parameter, type ParameterValues, undeclaredParameter } from './parameter.js';
import { findPlaceholders, type Placeholder, parseTemplate, type TemplatePart } from './parse-template.js';
import { InvalidParameterError, UnknownParametersError, UnusableSqlError } from './queries.errors.js';
import type { Replacement } from './replacement.js';
import { valueToText, writeValue } from './write-value.js';

/** A text ready to run, and the values that were put in. */
export interface RenderedSql {
  readonly sql: string;
  readonly parameters: ParameterValues;
  /** Where the values stand, in the order of the text. */
  readonly replacements: readonly Replacement[];
}

/** The parameters of a text: those declared, then those that stand in it only. */
export function parametersOf(sql: string, declared: readonly Parameter[]): Parameter[] {
  const keys = new Set(declared.map((parameter) => parameter.key));
  const undeclared = findPlaceholders(sql).filter((key) => !keys.has(key));
  return [...declared, ...undeclared.map(undeclaredParameter)];
}

/**
 * Puts values in the place of `{{key}}`; a missing one (null, too) takes its default.
 *
 * @throws {UnknownParametersError} if a value is given for no parameter of the text.
 * @throws {InvalidParameterError} if a value does not fit, or there is none for a place.
 * @throws {UnusableSqlError}
 */
export function substituteParameters(sql: string, declared: readonly Parameter[], given: GivenParameters): RenderedSql {
  const parameters = parametersOf(sql, declared);
  const known = new Map(parameters.map((parameter) => [parameter.key, parameter]));
  const unknown = Object.keys(given).filter((key) => !known.has(key));
  if (unknown.length > 0) throw new UnknownParametersError(unknown);
  const values = new Map(parameters.flatMap((parameter) => findValue(parameter, given)));
  const texts = [...values].map(([key, value]) => [key, valueToText(value)] as const);
  return { ...render(sql, known, values), parameters: Object.fromEntries(texts) };
}

function findValue(parameter: Parameter, given: GivenParameters): [string, CheckedValue][] {
  const own = Object.hasOwn(given, parameter.key) ? given[parameter.key] : undefined;
  const value = own ?? parameter.defaultValue;
  return value === undefined ? [] : [[parameter.key, checkValue(parameter, value)]];
}

function render(
  sql: string,
  known: ReadonlyMap<string, Parameter>,
  values: ReadonlyMap<string, CheckedValue>,
): Omit<RenderedSql, 'parameters'> {
  const fragments: string[] = [];
  const replacements: Replacement[] = [];
  let bytes = 0;
  let offset = 0;
  for (const part of parseTemplate(sql)) {
    const fragment = part.kind === 'text' ? part.text : writePlaceholder(part, known, values);
    const written = needsSpace(fragments.at(-1), fragment, part) ? ` ${fragment}` : fragment;
    fragments.push(written);
    if (part.kind === 'placeholder')
      replacements.push({ key: part.key, offset, length: written.length, placeholder: part.text });
    offset += written.length;
    bytes += Buffer.byteLength(written);
    if (bytes > MAX_STATEMENT_BYTES)
      throw new UnusableSqlError(`The SQL may have at most ${MAX_STATEMENT_BYTES} bytes with its parameters put in`);
  }
  const rendered = fragments.join('');
  if (rendered.includes('\0')) throw new UnusableSqlError('The SQL must not hold the character NUL');
  return { sql: rendered, replacements };
}

function writePlaceholder(
  { key, region }: Placeholder,
  known: ReadonlyMap<string, Parameter>,
  values: ReadonlyMap<string, CheckedValue>,
): string {
  const value = values.get(key);
  if (value === undefined) throw new InvalidParameterError(key, 'has no default: give it a value');
  return writeValue(known.get(key) ?? undeclaredParameter(key), value, region);
}

/** `10-{{n}}` with the value -5 would otherwise become the comment `--5`. */
function needsSpace(before: string | undefined, fragment: string, part: TemplatePart): boolean {
  return (
    part.kind === 'placeholder' && part.region === 'code' && fragment.startsWith('-') && before?.endsWith('-') === true
  );
}
