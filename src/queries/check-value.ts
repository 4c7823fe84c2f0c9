import { isDatetime } from './datetime.js';
import type { Parameter } from './parameter.js';
import { InvalidParameterError } from './queries.errors.js';

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** A checked value of a parameter: one text, or a list of them. */
export type CheckedValue = string | readonly string[];

/**
 * Checks the value of a caller: text, a number, or a list of these, of the parameter's type.
 *
 * @throws {InvalidParameterError}
 */
export function checkValue(parameter: Parameter, given: unknown): CheckedValue {
  if (!Array.isArray(given)) return checkOne(parameter, given);
  if (given.length === 0) throw new InvalidParameterError(parameter.key, 'the list must not be empty');
  return given.map((item) => checkOne(parameter, item));
}

function checkOne(parameter: Parameter, given: unknown): string {
  if (typeof given !== 'string' && typeof given !== 'number')
    throw new InvalidParameterError(parameter.key, 'must be text, a number, or a list of these');
  const text = parameter.type === 'number' || parameter.type === 'datetime' ? String(given).trim() : String(given);
  const issue = text.isWellFormed() ? findIssue(parameter, text) : 'must not hold half of a surrogate pair';
  if (issue) throw new InvalidParameterError(parameter.key, issue);
  return text;
}

function findIssue({ type, enumOptions }: Parameter, text: string): string | undefined {
  switch (type) {
    case 'text':
      return undefined;
    case 'number':
      return NUMBER.test(text) ? undefined : 'must be a number, such as 12.5';
    case 'datetime':
      return isDatetime(text) ? undefined : 'must be a date or a time, such as 2026-03-01 or 2026-03-01 10:20:30';
    case 'enum':
      if (enumOptions.length === 0 || enumOptions.includes(text)) return undefined;
      return `must be one of ${enumOptions.join(', ')}`;
  }
}
