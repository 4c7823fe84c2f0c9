import { InvalidArgumentError } from 'commander';
import { PARAMETER_TYPES, type Parameter, type ParameterType } from '../queries/parameter.js';

const FORM = /^([^:=]+)(?::([a-z]+)(?:\(([^)]*)\))?)?(?:=([\s\S]*))?$/;

/**
 * Reads a parameter as it is written on the command line: `key[:type][=default]`, and for an enum
 * `key:enum(a|b)[=a]`. Without a type it is text.
 */
export function parseParameter(text: string): Parameter {
  const [, key, type = 'text', options, defaultValue] = FORM.exec(text) ?? [];
  if (key === undefined) throw new InvalidArgumentError('It has the form key[:type][=default].');
  const known = type === 'date' ? 'datetime' : type;
  if (!isParameterType(known)) throw new InvalidArgumentError(`A type is one of ${PARAMETER_TYPES.join(', ')}.`);
  return { key, type: known, defaultValue, enumOptions: options?.split('|') ?? [] };
}

function isParameterType(text: string): text is ParameterType {
  return (PARAMETER_TYPES as readonly string[]).includes(text);
}
