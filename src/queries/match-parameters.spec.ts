import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchParameters } from './match-parameters.js';
import { toNumberKey } from './number-key.js';
import type { Parameter, ParameterType } from './parameter.js';

const parameter = (key: string, type: ParameterType): Parameter => ({ key, type, enumOptions: [] });
const PARAMETERS = [parameter('n', 'number'), parameter('t', 'text'), parameter('d', 'datetime')];

describe('matchParameters', () => {
  it.each([
    ['n', '2.0', '2'],
    ['n', '1e2', '100'],
    ['n', '100', '1E+2'],
    ['n', '.50', '+0.5'],
    ['n', '-0', '0.00'],
    ['n', ' 2 ', '2'],
    ['n', '1,2.0', '1.0,2'],
    ['n', '9007199254740993.0', '9007199254740993'],
    ['n', '1e99999999999999999999', '10e99999999999999999998'],
    ['t', 'a,b', 'a,b'],
    ['d', '2001-03-01', '2001-03-01 00:00:00'],
    ['d', '2001-03-01,2001-03-02', '2001-03-01T00:00:00Z,2001-03-02T02:00+02'],
  ])('takes %s=%j for a run with %j', (name, wanted, value) => {
    expect(matchParameters(PARAMETERS, { [name]: wanted })({ [name]: value })).toBe(true);
  });

  it.each([
    ['n', '2', '3'],
    ['n', '2', '-2'],
    ['n', '9007199254740992', '9007199254740993'],
    ['n', '0.1', '0.1000000000000000055511151231257827'],
    ['n', '1,2', '2,1'],
    ['n', '1', '1,1'],
    ['n', '', '0'],
    ['n', '.', '0'],
    ['n', 'x', '0'],
    ['t', '2.0', '2'],
    ['t', 'A', 'a'],
    ['d', '2001-03-01', '2001-03-02'],
  ])('does not take %s=%j for a run with %j', (name, wanted, value) => {
    expect(matchParameters(PARAMETERS, { [name]: wanted })({ [name]: value })).toBe(false);
  });

  it('takes no run that had no such parameter, and every run if nothing is wanted', () => {
    expect(matchParameters(PARAMETERS, { n: '2' })({ t: '2' })).toBe(false);
    expect(matchParameters(PARAMETERS, {})({ t: '2' })).toBe(true);
  });

  it('refuses names that are no parameters, all of them', () => {
    expect(() => matchParameters(PARAMETERS, { orign: 'x', t: 'y', constructor: 'z' })).toThrow(
      'unknown parameters (orign, constructor)',
    );
  });
});

describe('toNumberKey', () => {
  it('is one for numbers that are equal, and differs for others', () => {
    const decimal = fc.tuple(fc.bigInt(-(10n ** 40n), 10n ** 40n), fc.integer({ min: -30, max: 30 }));
    fc.assert(
      fc.property(decimal, decimal, fc.nat(5), ([a, p], [b, q], zeros) => {
        const scaled = `${a}${'0'.repeat(zeros)}e${p - zeros}`;
        expect(toNumberKey(scaled)).toBe(toNumberKey(`${a}e${p}`));
        const isEqual = a * 10n ** BigInt(p + 30) === b * 10n ** BigInt(q + 30);
        expect(toNumberKey(`${a}e${p}`) === toNumberKey(`${b}e${q}`)).toBe(isEqual);
      }),
    );
  });
});
