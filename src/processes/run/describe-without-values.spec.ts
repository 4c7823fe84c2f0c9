import { link } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { ChildNotReadyError } from '../pool/child-exit.js';
import { describeWithoutValues } from './describe-without-values.js';

describe('describeWithoutValues', () => {
  it('contains no paths', async () => {
    const error = await link('/secret/a.csv', '/secret/b.csv').catch((thrown: unknown) => thrown);
    expect(describeWithoutValues(error)).toBe('link failed with ENOENT');
  });

  it('reports how a child failed to start', () => {
    const error = new ChildNotReadyError({ code: 1, signal: null, cause: 'permission denied' });
    expect(describeWithoutValues(error)).toBe('A child process did not become ready: exit code 1, permission denied');
  });

  it('reports the class of other errors, and none of their words', () => {
    expect(describeWithoutValues(new SyntaxError('Unexpected token in "hunter2"'))).toBe('an unexpected SyntaxError');
    expect(describeWithoutValues('hunter2')).toBe('an unexpected error');
    expect(describeWithoutValues(undefined)).toBe('an unexpected error');
  });
});
