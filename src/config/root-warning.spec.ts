import { describe, expect, it } from '@jest/globals';
import { rootWarning } from './root-warning.js';

describe('rootWarning', () => {
  it('warns of root', () => {
    expect(rootWarning(0)).toBe(
      'Eider is running as root. Untrusted SQL then runs as root too, and file permissions do not protect stored results. Run it as a dedicated user.',
    );
  });

  it.each([1, 1000, 65534])('has nothing to say of user %s', (userId) => {
    expect(rootWarning(userId)).toBeUndefined();
  });
});
