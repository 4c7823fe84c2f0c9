import { describe, expect, it } from '@jest/globals';
import { checkDeclarations } from './check-declarations.js';
import type { Parameter } from './parameter.js';

const declare = (more: Partial<Parameter>): Parameter => ({ key: 'p', type: 'text', enumOptions: [], ...more });

describe('checkDeclarations', () => {
  it('takes names with spaces and defaults that fit', () => {
    const parameters = [declare({ key: 'wallet address' }), declare({ type: 'number', defaultValue: '5' })];
    expect(() => checkDeclarations(parameters)).not.toThrow();
  });

  it.each(['', ' p', 'a}b', "it's", 'a\\b', 'a\nb'])('refuses the name %j', (key) => {
    expect(() => checkDeclarations([declare({ key })])).toThrow('a name has no braces');
  });

  it('refuses a name that is declared twice', () => {
    expect(() => checkDeclarations([declare({}), declare({ type: 'number' })])).toThrow(
      'parameter p: is declared twice',
    );
  });

  it('refuses a default that does not fit', () => {
    const colour = declare({ type: 'enum', enumOptions: ['red'], defaultValue: 'green' });
    expect(() => checkDeclarations([colour])).toThrow('parameter p: must be one of red');
  });
});
