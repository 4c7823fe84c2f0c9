import type { RegionKind } from '../duckdb/sql-regions.js';
import type { CheckedValue } from './check-value.js';
import type { Parameter } from './parameter.js';
import { InvalidParameterError } from './queries.errors.js';

/**
 * Writes a value for its placeholder. Inside a literal or a quoted name it is escaped. In code:
 *
 * | Type | One value | A list |
 * |---|---|---|
 * | `text`, `enum` | as it is: a name, a keyword, an expression | `'a', 'b'`, for `IN (…)` |
 * | `number` | as it is | `1, 2` |
 * | `datetime` | `'2026-03-01'` | `'2026-03-01', '2026-03-02'` |
 *
 * Inside a literal a list is its values with commas between them.
 */
export function writeValue(parameter: Parameter, value: CheckedValue, region: RegionKind): string {
  if (region === 'code') return writeInCode(parameter, value);
  const text = valueToText(value);
  switch (region) {
    case 'string':
      return text.replaceAll("'", "''");
    case 'escape_string':
      return text.replaceAll('\\', '\\\\').replaceAll("'", "''");
    case 'identifier':
      return text.replaceAll('"', '""');
    case 'dollar_string':
      if (text.includes('$'))
        throw new InvalidParameterError(parameter.key, 'cannot hold a $ inside a $-quoted literal');
      return text;
    case 'comment':
      return '';
  }
}

/** A value as one text, the way an execution keeps it. */
export function valueToText(value: CheckedValue): string {
  return typeof value === 'string' ? value : value.join(',');
}

function writeInCode({ type }: Parameter, value: CheckedValue): string {
  const isQuoted = type === 'datetime' || (typeof value !== 'string' && type !== 'number');
  const texts = typeof value === 'string' ? [value] : value;
  return texts.map((text) => (isQuoted ? `'${text.replaceAll("'", "''")}'` : text)).join(', ');
}
