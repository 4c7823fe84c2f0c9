import { describe, expect, it } from '@jest/globals';
import { runtimeRoots } from './runtime-roots.js';

describe('runtimeRoots', () => {
  it('takes EIDER_RUNTIME_DIR alone if it is set', () => {
    expect(runtimeRoots({ EIDER_RUNTIME_DIR: '/opt/eider', HOME: '/home/ada' }, 1000)).toEqual(['/opt/eider']);
  });

  it("prefers the user's cache, then the data folder, then temporary files and memory", () => {
    const variables = { XDG_CACHE_HOME: '/cache', HOME: '/home/ada', DATA_DIR: import.meta.dirname };
    const [cache, home, data, ...temporary] = runtimeRoots(variables, 1000);
    expect([cache, home]).toEqual(['/cache/eider', '/home/ada/.cache/eider']);
    expect(data).toBe(`${import.meta.dirname}/.runtime`);
    expect(temporary.slice(-2)).toEqual(['/var/tmp/eider-1000', '/dev/shm/eider-1000']);
  });

  it('leaves out what is no folder of the user, and a data folder that does not exist yet', () => {
    const roots = runtimeRoots({ XDG_CACHE_HOME: 'cache', HOME: '/', DATA_DIR: '/absent/eider' }, 65534);
    expect(roots.every((root) => root.endsWith('/eider-65534'))).toBe(true);
  });
});
