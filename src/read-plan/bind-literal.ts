import { excerpt } from '../http/excerpt.js';
import type { Column } from '../types/column.js';
import { toWireTypeName } from '../types/wire-type-name.js';
import { comparesAsText, literalForm } from './literals/literal-forms.js';
import { LiteralTypeError } from './read-plan.errors.js';
import type { BoundValue, Literal, MatchOperator } from './read-plan.js';

/**
 * Fits a literal to its column, exactly: no value is rounded, cut or wrapped on the way.
 * @throws LiteralTypeError if the column's type does not take such a literal.
 */
export function bindLiteral(literal: Literal, column: Column): BoundValue {
  const form = literalForm(column);
  const value = form.bind(literal);
  if (value === undefined) throw new LiteralTypeError(describe(column), form.takes, written(literal));
  return value;
}

/** @throws LiteralTypeError if the column does not compare as text. */
export function requireText(column: Column, operator: MatchOperator): void {
  if (!comparesAsText(column)) throw new LiteralTypeError(describe(column), literalForm(column).takes, operator);
}

function describe(column: Column): { name: string; typeName: string } {
  return { name: column.name, typeName: toWireTypeName(column.type) };
}

function written(literal: Literal): string {
  if (literal.kind === 'boolean') return literal.isTrue ? 'TRUE' : 'FALSE';
  return literal.kind === 'string' ? `'${excerpt(literal.text)}'` : excerpt(literal.text);
}
