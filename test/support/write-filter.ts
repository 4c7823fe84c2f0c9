import type { Filter } from '../../src/read-plan/read-plan.js';
import type { Literal } from '../../src/types/literals/literal.js';

/** A column name as the author of a filter writes it, whatever characters it has. */
export function quoteName(name: string): string {
  return `"${name.replace(/\\+(?="|$)/g, '$&$&').replaceAll('"', '""')}"`;
}

/** A string as the author of a filter writes it. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The filter as a text that must parse to the same. */
export function writeFilter(filter: Filter<string>): string {
  switch (filter.kind) {
    case 'logical':
      return filter.operands.map((operand) => `(${writeFilter(operand)})`).join(` ${filter.connective} `);
    case 'comparison':
      return `${quoteName(filter.column)}${filter.operator}${writeLiteral(filter.value)}`;
    case 'membership':
      return `${quoteName(filter.column)} IN (${filter.values.map(writeLiteral).join(',')})`;
    case 'pattern':
      return `${quoteName(filter.column)} ${filter.operator} ${quoteText(filter.pattern)}`;
    case 'is_null':
      return `${quoteName(filter.column)} IS NULL`;
  }
}

function writeLiteral(literal: Literal): string {
  if (literal.kind === 'boolean') return String(literal.isTrue);
  return literal.kind === 'string' ? quoteText(literal.text) : literal.text;
}
