import { describe, expect, it } from '@jest/globals';
import { findHandleIssue } from './handle.js';

describe('findHandleIssue', () => {
  it.each(['a', 'ada', 'team_42', 'pg', 'mainly', 'a'.repeat(63)])('takes %s', (handle) => {
    expect(findHandleIssue(handle)).toBeUndefined();
  });

  it.each(['', 'Ada', '1st', '_a', 'a-b', 'a.b', 'a b', 'é', 'a\n', 'a'.repeat(64)])(
    'refuses the spelling of %j',
    (handle) => {
      expect(findHandleIssue(handle)).toMatch('lower-case letter');
    },
  );

  it.each(['main', 'memory', 'system', 'temp', 'information_schema', 'pg_catalog', 'duckdb_x'])(
    'refuses the schema %s',
    (handle) => {
      expect(findHandleIssue(handle)).toBe(`the handle ${handle} is the name of a schema of the engine`);
    },
  );
});
