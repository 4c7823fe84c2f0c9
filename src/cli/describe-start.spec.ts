import { describe, expect, it } from '@jest/globals';
import type { AccountId } from '../catalog/ids.js';
import { describeFirstStart } from './describe-start.js';

const url = 'http://127.0.0.1:8080';
const account = {
  id: '01M7Y6YNG0CMQ2C5R61DAM1DAQ' as AccountId,
  handle: 'demo',
  type: 'user',
  plan: 'premium',
  createdAt: new Date(0),
} as const;
const config = { HEADER_BRANDS: ['acme', 'service'] };

describe('describeFirstStart', () => {
  it('shows the key and three commands that use it', () => {
    expect(describeFirstStart({ account, exampleQueryId: 1 }, 'eider_abc', { url, config })).toBe(
      `Eider listens on http://127.0.0.1:8080 (API pages: http://127.0.0.1:8080/api/docs)

The account demo was created. Its API key, shown only now: eider_abc

Run a saved query, poll it, and read its result:

  curl -X POST -H "X-ACME-API-KEY: eider_abc" http://127.0.0.1:8080/api/v1/query/1/execute
  curl -H "X-ACME-API-KEY: eider_abc" http://127.0.0.1:8080/api/v1/execution/<execution_id>/status
  curl -H "X-ACME-API-KEY: eider_abc" 'http://127.0.0.1:8080/api/v1/query/1/results?limit=5'

The same as CSV: http://127.0.0.1:8080/api/v1/query/1/results/csv`,
    );
  });

  it('names a given key instead of printing it', () => {
    const given = { ...config, BOOTSTRAP_API_KEY: 'a-key-that-was-given' };
    const text = describeFirstStart({ account, exampleQueryId: 1 }, undefined, { url, config: given });
    expect(text).toContain('The account demo was created. Its API key is the given BOOTSTRAP_API_KEY.');
    expect(text.match(/curl .*-H "X-ACME-API-KEY: \$BOOTSTRAP_API_KEY"/g)).toHaveLength(3);
    expect(text).not.toContain(given.BOOTSTRAP_API_KEY);
  });

  it('has no commands without a query to try', () => {
    const lines = describeFirstStart({ account }, 'eider_abc', { url, config }).split('\n');
    expect(lines.slice(1)).toEqual(['', 'The account demo was created. Its API key, shown only now: eider_abc']);
  });

  it('is only where the service listens, if the key was shown before', () => {
    const text = describeFirstStart({ account, exampleQueryId: 1 }, undefined, { url, config });
    expect(text).toBe('Eider listens on http://127.0.0.1:8080 (API pages: http://127.0.0.1:8080/api/docs)');
  });
});
