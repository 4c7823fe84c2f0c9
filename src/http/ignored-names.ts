import { getMetadataStorage } from 'class-validator';
import { findMeantName } from '../config/nearest-names.js';
import { InvalidRequestError } from './common.errors.js';
import { excerpt } from './excerpt.js';

type DtoClass = abstract new (...parameters: never[]) => unknown;

/** Names that a request had and its DTO does not know. */
interface Ignored {
  readonly names: readonly string[];
  readonly known: readonly string[];
}

/** More are counted only: a URL can hold thousands. */
const MAX_WARNINGS = 10;

const knownNames = new WeakMap<DtoClass, ReadonlySet<string>>();
const ignored = new WeakMap<object, Ignored>();

/**
 * Refuses a query string in which a parameter that has one value stands several times.
 *
 * @throws InvalidRequestError that names it
 */
export function refuseRepeated(query: object, dto: DtoClass): void {
  const known = knownNamesOf(dto);
  const repeated = Object.entries(query).filter(([name, value]) => Array.isArray(value) && known.has(name));
  if (repeated.length === 0) return;
  throw new InvalidRequestError(repeated.map(([name]) => `${name}: must have one value, not several`).join('; '));
}

/** Notes which names of a request are not in the DTO that was made of it. */
export function noteIgnored(request: object, dto: object, dtoClass: DtoClass): void {
  const known = knownNamesOf(dtoClass);
  const names = Object.keys(request).filter((name) => !known.has(name));
  if (names.length > 0) ignored.set(dto, { names, known: [...known] });
}

/**
 * A sentence for each name of a query string, and of a body, that was ignored, if there are some.
 * Every call has the key and `params.<name>`.
 */
export function warningsOf(query: object, body: object = {}): string[] | undefined {
  const sentences = [...describe('parameter', query), ...describe('field', body)];
  const rest = sentences.length - MAX_WARNINGS;
  if (rest > 0) sentences.splice(MAX_WARNINGS, rest, () => `${rest} more unknown names were ignored`);
  return sentences.length > 0 ? sentences.map((sentence) => sentence()) : undefined;
}

function describe(kind: 'parameter' | 'field', dto: object): (() => string)[] {
  const { names = [], known = [] } = ignored.get(dto) ?? {};
  const unknown = kind === 'field' ? names : names.filter((name) => name !== 'api_key' && !name.startsWith('params.'));
  return unknown.map((name) => () => {
    const meant = (kind === 'parameter' && findMeantValue(name)) || findMeantName(name, known);
    return `unknown ${kind} ${excerpt(name)} was ignored${meant ? `, did you mean ${excerpt(meant)}?` : ''}`;
  });
}

/** Other spellings of `params.<name>`: generated clients may send `params[name]`. */
function findMeantValue(name: string): string | undefined {
  const [, key] = /^(?:params?|parameters?|query_parameters)[.[](.+?)\]?$/.exec(name) ?? [];
  return key === undefined ? undefined : `params.${key}`;
}

function knownNamesOf(dto: DtoClass): ReadonlySet<string> {
  const found = knownNames.get(dto);
  if (found) return found;
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const names = new Set(rules.map(({ propertyName }) => propertyName));
  knownNames.set(dto, names);
  return names;
}
