import { excerpt } from '../http/excerpt.js';
import type { Column } from '../types/column.js';
import type { Literal } from '../types/literals/literal.js';
import { comparisonOf } from '../types/stored-value.js';
import { toWireTypeName } from '../types/wire-type-name.js';
import { LiteralTypeError } from './read-plan.errors.js';
import type { BoundValue, PatternOperator } from './read-plan.js';

/**
 * Fits a literal to its column, exactly: no value is rounded, cut or wrapped on the way.
 * @throws LiteralTypeError if the column's type does not take such a literal.
 */
export function bindLiteral(literal: Literal, column: Column): BoundValue {
  const { castTo, parse } = comparisonOf(column);
  const value = parse(literal);
  if (value === undefined) throw literalTypeError(column, written(literal));
  return { ...value, castTo };
}

/** @throws LiteralTypeError if the column does not compare as text. */
export function requireText(column: Column, operator: PatternOperator): void {
  if (comparisonOf(column).castTo !== 'VARCHAR') throw literalTypeError(column, operator);
}

function literalTypeError(column: Column, got: string): LiteralTypeError {
  return new LiteralTypeError(column.name, toWireTypeName(column.type), comparisonOf(column).takes, got);
}

function written(literal: Literal): string {
  if (literal.kind === 'boolean') return literal.isTrue ? 'TRUE' : 'FALSE';
  return literal.kind === 'string' ? `'${excerpt(literal.text)}'` : excerpt(literal.text);
}
