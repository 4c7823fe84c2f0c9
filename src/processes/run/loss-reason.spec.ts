import { link } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { ChildNotReadyError } from '../pool/child-not-ready.js';
import { lossReason } from './loss-reason.js';

describe('lossReason', () => {
  it('tells of files no paths', async () => {
    const error = await link('/secret/a.csv', '/secret/b.csv').catch((thrown: unknown) => thrown);
    expect(lossReason(error)).toBe('link failed with ENOENT');
  });

  it('reports how a child failed to start', () => {
    const error = new ChildNotReadyError({ code: 1, signal: null, cause: 'permission denied' });
    expect(lossReason(error)).toBe('A child process did not become ready: exit code 1, permission denied');
  });

  it('reports the class of other errors, and none of their words', () => {
    expect(lossReason(new SyntaxError('Unexpected token in "hunter2"'))).toBe('an unexpected SyntaxError');
    expect(lossReason('hunter2')).toBe('an unexpected error');
    expect(lossReason(undefined)).toBe('an unexpected error');
  });
});
