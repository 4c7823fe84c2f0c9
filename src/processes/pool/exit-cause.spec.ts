import { describe, expect, it } from '@jest/globals';
import { exitCause } from './exit-cause.js';

describe('exitCause', () => {
  it.each([
    ['', undefined],
    [' \n', undefined],
    ['FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', 'its heap is full'],
    ["terminate called after throwing an instance of 'std::bad_alloc'", 'memory could not be allocated'],
    ['Error: libstdc++.so.6: cannot open\n  code: "ERR_DLOPEN_FAILED"', 'a library could not be loaded'],
    ["Error: Cannot find module '/srv/run.child.cjs'", 'a file of the program is missing'],
    ["sh: 1: cd: can't cd to /srv/data/runs", 'its folder cannot be entered'],
    ['nice: /srv/node: Permission denied', 'permission denied'],
    [
      '/srv/run.child.cjs:7\n  parse(x)\n  ^\n\nSyntaxError: Unexpected token in "hunter2"\n  at a',
      'uncaught SyntaxError',
    ],
    ['EngineError: hunter2', 'uncaught EngineError'],
    ['HunterError: hunter2', 'unknown'],
    ['hunter2', 'unknown'],
  ])('calls %j %s', (stderr, cause) => {
    expect(exitCause(stderr)).toBe(cause);
  });
});
