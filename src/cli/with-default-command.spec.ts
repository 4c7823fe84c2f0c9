import { describe, expect, it } from '@jest/globals';
import { withDefaultCommand } from './with-default-command.js';

describe('withDefaultCommand', () => {
  it.each([
    [[], ['serve']],
    [
      ['--port', '0'],
      ['serve', '--port', '0'],
    ],
    [['--help'], ['--help']],
    [['--version'], ['--version']],
    [
      ['query', 'list'],
      ['query', 'list'],
    ],
    [['qurey'], ['qurey']],
  ])('turns %j into %j', (words, expected) => {
    expect(withDefaultCommand(words)).toEqual(expected);
  });
});
