import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toWireTypeName } from '../../../../types/wire-type-name.js';
import { TypeInference } from './infer-type.js';

function typeOf(...values: readonly string[]): string {
  const inference = new TypeInference();
  for (const value of values) {
    const bytes = Buffer.from(`7${value}7`);
    inference.add(bytes, 1, bytes.length - 1);
  }
  return toWireTypeName(inference.type());
}

const DIGITS = fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength: 1, maxLength: 20 });
const NUMBER = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      DIGITS.map((digits) => `1${digits}`),
    ),
    fc.option(DIGITS),
  )
  .map(([sign, integer, fraction]) => sign + integer + (fraction === null ? '' : `.${fraction}`));

/** A decimal number, times a large power of ten. */
function scaled(text: string): bigint {
  const [, sign = '', integer = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text) ?? [];
  return BigInt(sign + integer + fraction) * 10n ** BigInt(60 - fraction.length + Number(exponent));
}

/** Digits of a number as an integer of this scale; more than any type has if it is none. */
function digitsOf(number: string, scale: number): number {
  const unit = 10n ** BigInt(60 - scale);
  if (scaled(number) % unit !== 0n) return Number.POSITIVE_INFINITY;
  return String(scaled(number) / unit).replace('-', '').length;
}

describe('TypeInference', () => {
  it('takes a type whose numbers are those that were written', () => {
    fc.assert(
      fc.property(fc.array(NUMBER, { minLength: 1, maxLength: 4 }), (numbers) => {
        const type = typeOf(...numbers);
        const decimal = /^decimal\(38, (?<scale>\d+)\)$/.exec(type);
        for (const number of numbers) {
          if (type === 'bigint') expect(BigInt.asIntN(64, BigInt(number))).toBe(BigInt(number));
          if (type === 'double') expect(scaled(String(Number(number)))).toBe(scaled(number));
          if (decimal) expect(digitsOf(number, Number(decimal.groups?.scale))).toBeLessThanOrEqual(38);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('does not depend on the order of the values', () => {
    const value = fc.constantFrom(
      '1',
      '1.5',
      '99999999999999999999',
      '1e5',
      'NaN',
      'true',
      '2024-01-01',
      '2024-01-01 10:00',
      '2024-01-01T10:00:00Z',
      'x',
      '-0',
    );
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), (values) => {
        expect(typeOf(...values.toReversed())).toBe(typeOf(...values));
      }),
    );
  });

  it.each([
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '2024-04-31',
    '1900-02-29',
    '0000-01-01',
    '2024-01-01x',
    '2024-01-01 1:00',
    '2024-01-01 10:60',
    '2024-01-01 10:00:60',
    '2024-01-01 10:00:00.',
    '2024-01-01 10:00:00+1',
    '2024-01-01 10:00:00+15:00',
    '2024-01-01 10:00:00 UT',
    '2024-01-01 10:00Z',
    '2024-01-01  10:00',
    '-2024-01-01',
    '20240101T100000',
  ])('takes %j for text', (text) => {
    expect(typeOf(text)).toBe('varchar');
  });

  it.each(['2000-02-29', '2024-12-31'])('takes %j for a date', (text) => {
    expect(typeOf(text)).toBe('date');
  });

  it.each(['', '-', '.', '+', '1-', '--1', '1.2.3', '1e', '1e+', 'e5', '1,5', '٣', '1 ', '0x1f', '1f', '∞'])(
    'takes %j for text',
    (text) => {
      expect(typeOf(text)).toBe('varchar');
    },
  );
});
