import { describe, expect, it } from '@jest/globals';
import { withDefaultCommand } from './with-default-command.js';

describe('withDefaultCommand', () => {
  it.each([
    [[], ['serve']],
    [
      ['--port', '0'],
      ['serve', '--port', '0'],
    ],
    [
      ['--config', 'x', '--port', '0'],
      ['--config', 'x', 'serve', '--port', '0'],
    ],
    [
      ['--config=x', 'query', 'list'],
      ['--config=x', 'query', 'list'],
    ],
    [['--help'], ['--help']],
    [['--version'], ['--version']],
    [
      ['query', 'list'],
      ['query', 'list'],
    ],
    [['qurey'], ['qurey']],
    [['help'], ['help']],
    [
      ['help', 'query'],
      ['query', '--help'],
    ],
  ])('turns %j into %j', (words, expected) => {
    expect(withDefaultCommand(words)).toEqual(expected);
  });
});
