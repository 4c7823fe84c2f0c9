import { describe, expect, it } from '@jest/globals';
import { includesScope, type Scope } from './scope.js';

describe('includesScope', () => {
  it.each<[Scope, Scope[]]>([
    ['read', ['read']],
    ['read_write', ['read', 'read_write']],
    ['admin', ['read', 'read_write', 'admin']],
  ])('lets a key with scope %s do what needs %j', (held, allowed) => {
    const scopes: Scope[] = ['read', 'read_write', 'admin'];
    expect(scopes.filter((needed) => includesScope(held, needed))).toEqual(allowed);
  });
});
