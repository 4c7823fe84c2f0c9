import { describe, expect, it } from '@jest/globals';
import { findTableNameIssue } from './table-name.js';

describe('findTableNameIssue', () => {
  it.each(['a', 'prices', 'prices_2026', 'a'.repeat(63), 'information_schema_2'])(
    'finds nothing wrong with %s',
    (name) => {
      expect(findTableNameIssue(name)).toBeUndefined();
    },
  );

  it.each(['', 'Prices', '1st', '_prices', 'a-b', 'a b', 'a.b', 'prix_é', 'a\n', 'a'.repeat(64)])(
    'tells the rule that %j breaks',
    (name) => {
      expect(findTableNameIssue(name)).toContain('a lower-case letter, then lower-case letters, digits or _');
    },
  );

  it.each(['duckdb_tables', 'pg_class', 'sqlite_master', 'pragma_x', 'information_schema'])(
    'keeps %s for the engine',
    (name) => {
      expect(findTableNameIssue(name)).toContain('is kept for tables of the engine');
    },
  );
});
