import { describe, expect, it } from '@jest/globals';
import { rootWarning } from './root-warning.js';

describe('rootWarning', () => {
  it('warns of root', () => {
    expect(rootWarning(0)).toBe(
      'The service runs as root, and so do the processes that run untrusted SQL, which read-only files do not hold then: run it as a user of its own',
    );
  });

  it.each([1, 1000, 65534])('has nothing to say of user %s', (userId) => {
    expect(rootWarning(userId)).toBeUndefined();
  });
});
