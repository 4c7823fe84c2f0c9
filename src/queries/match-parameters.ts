import { toInstantKey } from './datetime.js';
import { toNumberKey } from './number-key.js';
import type { Parameter, ParameterType, ParameterValues } from './parameter.js';
import { UnknownParametersError } from './queries.errors.js';

/**
 * Whether an execution had the wanted parameter values. Numbers compare by value (`1e2` is `100`),
 * datetimes by their instant, other values as text; lists compare value by value.
 *
 * @throws {UnknownParametersError} if a wanted name is not among the parameters.
 */
export function matchParameters(
  parameters: readonly Parameter[],
  wanted: ParameterValues,
): (values: ParameterValues) => boolean {
  const types = new Map(parameters.map(({ key, type }) => [key, type]));
  const unknown = Object.keys(wanted).filter((key) => !types.has(key));
  if (unknown.length > 0) throw new UnknownParametersError(unknown);
  const keys = Object.entries(wanted).map(([name, text]) => ({ name, key: toKey(types.get(name), text) }));
  return (values) =>
    keys.every(({ name, key }) => Object.hasOwn(values, name) && toKey(types.get(name), values[name] ?? '') === key);
}

/** Equal values of a type have equal keys. */
function toKey(type: ParameterType | undefined, text: string): string {
  if (type === 'number') return text.split(',').map(toNumberKey).join();
  if (type === 'datetime') return text.split(',').map(toInstantKey).join();
  return text;
}
