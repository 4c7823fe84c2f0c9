import type { LinkedColumnType } from '../../../../storage/linked/linked-text.js';
import { isExactDouble, NumberShape, SAFE_DIGITS, scanNumber } from '../values/number-shape.js';
import { type ValueRule, valueRule } from '../values/value-rule.js';

const SHAPE = new NumberShape();

/**
 * The rule for the values of a linked column whose type was found from its values: like {@link
 * valueRule}, but none that the type would change. `007` is no whole number, and a number with more
 * digits than a double keeps is no double.
 */
export function exactRule(column: LinkedColumnType): ValueRule {
  const rule = valueRule({ ...column, nullable: true });
  if (rule.json !== 'number') return rule;
  const isDouble = column.type.kind === 'scalar' && column.type.name === 'DOUBLE';
  return {
    ...rule,
    expected: rule.expected + (isDouble ? ' with all its digits' : ', without zeros before it'),
    accepts: (bytes, start, end) => rule.accepts(bytes, start, end) && keepsDigits(bytes, start, end, isDouble),
  };
}

function keepsDigits(bytes: Buffer, start: number, end: number, isDouble: boolean): boolean {
  if (!scanNumber(bytes, start, end, SHAPE)) return true;
  if (SHAPE.isPadded || (SHAPE.hasPoint && SHAPE.fractionDigits === 0)) return false;
  if (!isDouble || (SHAPE.significantDigits <= SAFE_DIGITS && !SHAPE.hasExponent)) return true;
  return isExactDouble(bytes.toString('latin1', start, end));
}
