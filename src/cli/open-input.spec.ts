import { describe, expect, it } from '@jest/globals';
import { OperatorError } from '../config/operator-error.js';
import { openInput, readInput } from './open-input.js';

describe('openInput', () => {
  it.each([
    ['nope.csv', 'there is no such file'],
    ['package.json/nope.csv', 'there is no such file'],
    ['src', 'it is a folder'],
  ])('reports in one sentence why it cannot open %s', async (path, reason) => {
    const error = await openInput(path).catch((thrown: unknown) => thrown as Error);
    expect(error).toBeInstanceOf(OperatorError);
    expect(error).toMatchObject({ message: `Cannot read ${path}: ${reason}` });
  });
});

describe('readInput', () => {
  it('returns the text of a file', async () => {
    expect(await readInput('.swcrc')).toContain('"jsc"');
  });
});
