import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countDecimalUnits } from './exact-number.js';

describe('countDecimalUnits', () => {
  it('finds the units of a number written with any number of digits and any exponent', () => {
    const exponents = fc.integer({ min: -30, max: 30 });
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 45n), max: 10n ** 45n }),
        exponents,
        fc.nat(38),
        (digits, exponent, scale) => {
          const shift = BigInt(exponent + scale);
          const { floor, isWhole } = countDecimalUnits(`${digits}e${exponent}`, scale);
          // floor <= digits * 10^shift < floor + 1, without division
          const [value, unit] = shift >= 0n ? [digits * 10n ** shift, 1n] : [digits, 10n ** -shift];
          expect(floor * unit <= value && value < (floor + 1n) * unit).toBe(true);
          expect(isWhole).toBe(floor * unit === value);
        },
      ),
    );
  });

  it('takes no longer for a huge exponent', () => {
    const huge = '9'.repeat(20);
    expect(countDecimalUnits(`1e${huge}`, 0).floor).toBe(10n ** 1000n);
    expect(countDecimalUnits(`99.9e-${huge}`, 38)).toEqual({ floor: 0n, isWhole: false });
    expect(countDecimalUnits(`-99.9e-${huge}`, 38)).toEqual({ floor: -1n, isWhole: false });
  });

  it.each([
    ['.5', 1, 5n],
    ['5.', 1, 50n],
    ['+0.50', 1, 5n],
    ['-1.5E1', 0, -15n],
    ['0e99999999999999999999', 0, 0n],
  ])('reads %s', (text, scale, units) => {
    expect(countDecimalUnits(text, scale)).toEqual({ floor: units, isWhole: true });
  });
});
