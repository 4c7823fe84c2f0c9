import { describe, expect, it } from '@jest/globals';
import { bindParameters } from './bind-parameters.js';

const STATEMENT = {
  named_param_map: [
    { key: 'name', value: 2 },
    { key: 'id', value: 1 },
  ],
};

describe('bindParameters', () => {
  it('puts values in the order of the engine and drops those that nothing asks for', () => {
    expect(bindParameters(STATEMENT, { NAME: "o'x", id: '7', other: 'x' })).toEqual(['7', "o'x"]);
  });

  it('needs no values for a statement without placeholders', () => {
    expect(bindParameters({}, { id: '7' })).toEqual([]);
  });

  it('names the parameter that has no value', () => {
    expect(() => bindParameters(STATEMENT, { id: '7' })).toThrow('no value for the parameter "name"');
  });
});
