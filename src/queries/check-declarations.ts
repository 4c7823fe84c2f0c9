import { checkValue } from './check-value.js';
import type { Parameter } from './parameter.js';
import { findPlaceholders } from './parse-template.js';
import { InvalidParameterError } from './queries.errors.js';

/**
 * Checks the parameters that a query declares: names are valid and unique, defaults fit.
 *
 * @throws {InvalidParameterError}
 */
export function checkDeclarations(parameters: readonly Parameter[]): void {
  const seen = new Set<string>();
  for (const parameter of parameters) {
    const { key, defaultValue } = parameter;
    if (findPlaceholders(`{{${key}}}`)[0] !== key)
      throw new InvalidParameterError(
        key,
        'a name has no braces, quotes, backslashes or line breaks, and no spaces around it',
      );
    if (seen.has(key)) throw new InvalidParameterError(key, 'is declared twice');
    seen.add(key);
    if (defaultValue !== undefined) checkValue(parameter, defaultValue);
  }
}
