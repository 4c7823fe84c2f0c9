import { describe, expect, it } from '@jest/globals';
import type { AccountId, QueryId } from '../catalog/ids.js';
import { changeQuery, type Query, type QueryChanges } from './query.js';

const savedAt = new Date('2026-03-01T00:00:00Z');
const alteredAt = new Date('2026-03-02T00:00:00Z');

const QUERY: Query = {
  id: 1 as QueryId,
  accountId: 'a' as AccountId,
  owner: 'ada',
  name: 'orders',
  description: '',
  tags: ['x'],
  version: 3,
  sql: 'SELECT {{n}}',
  parameters: [{ key: 'n', type: 'number', enumOptions: [], defaultValue: '1' }],
  isPrivate: false,
  isArchived: false,
  createdAt: savedAt,
  updatedAt: savedAt,
};

describe('changeQuery', () => {
  it('changes what is given and leaves the rest', () => {
    const changed = changeQuery(QUERY, { name: 'sales', tags: [] }, alteredAt);
    expect(changed).toEqual({ ...QUERY, name: 'sales', tags: [], updatedAt: alteredAt });
  });

  it.each<[string, QueryChanges, number]>([
    ['another text', { sql: 'SELECT 1' }, 4],
    ['other parameters', { parameters: [] }, 4],
    ['the same text and parameters', { sql: QUERY.sql, parameters: structuredClone(QUERY.parameters) }, 3],
    ['anything else', { name: 'n', description: 'd', tags: [], isPrivate: true, isArchived: true }, 3],
  ])('makes of %s the version that it is', (_what, changes, version) => {
    expect(changeQuery(QUERY, changes, alteredAt).version).toBe(version);
  });
});
