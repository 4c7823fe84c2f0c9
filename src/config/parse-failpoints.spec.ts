import { describe, expect, it } from '@jest/globals';
import { findFailpointIssue, parseFailpoints } from './parse-failpoints.js';

describe('parseFailpoints', () => {
  it('reads names, kinds, and from which time on they fire', () => {
    const text = 'blob-adopt=crash, catalog-commit=eio@3,disk-sync=enospc@2+';
    expect(findFailpointIssue(text)).toBeUndefined();
    expect(parseFailpoints(text)).toEqual([
      { name: 'blob-adopt', kind: 'crash', nth: 1, isRepeated: false },
      { name: 'catalog-commit', kind: 'eio', nth: 3, isRepeated: false },
      { name: 'disk-sync', kind: 'enospc', nth: 2, isRepeated: true },
    ]);
  });
});

describe('findFailpointIssue', () => {
  it.each([
    'blob-adopt',
    'blob-adopt=',
    'blob-adopt=crash@0',
    'blob-adopt=crash@',
    'blob-adopt=crash+',
    'blob-adopt=crash@1.5',
    'blob-adopt=crash;disk-sync=eio',
    'disk-sync=eio@1@2',
  ])('refuses %s, which has another form', (text) => {
    expect(findFailpointIssue(text)).toBe(
      'has in its entry 1 no text of the form name=kind, name=kind@2 or name=kind@2+',
    );
  });

  it('finds the entry that is wrong, and an empty one', () => {
    expect(findFailpointIssue('disk-sync=eio,')).toMatch(/^has in its entry 2 no text/);
  });

  it.each(['blob-adpot=crash', 'constructor=crash', 'toString=crash'])('refuses %s, which is no failpoint', (text) => {
    expect(findFailpointIssue(`disk-sync=eio,${text.toLowerCase()}`)).toBe(
      'has in its entry 2 a name that is no failpoint: docs/reliability.md lists them',
    );
  });

  it.each([
    ['blob-adopt=explode', 'blob-adopt does not have: use crash, fail, eio, enospc, slow'],
    ['blob-adopt=short', 'blob-adopt does not have: use crash, fail, eio, enospc, slow'],
    ['blob-list=enospc', 'blob-list does not have: use crash, fail, eio, slow'],
    ['run-ended=eio', 'run-ended does not have: use crash, fail, slow'],
  ])('refuses %s, a kind that makes no sense there', (text, end) => {
    expect(findFailpointIssue(text)).toBe(`has in its entry 1 a kind that ${end}`);
  });
});
