import { describe, expect, it } from '@jest/globals';
import { OperatorError } from '../config/operator-error.js';
import { toListenError } from './listen-error.js';

const ADDRESS = { host: '127.0.0.1', port: 80, hostSetting: 'HOST (serve --host)', portSetting: 'PORT (serve --port)' };

describe('toListenError', () => {
  it.each([
    ['EADDRINUSE', /^Port 80 of 127\.0\.0\.1 is in use: .* set PORT \(serve --port\)/],
    ['EACCES', /^Port 80 may not be used by this user: set PORT \(serve --port\) to 1024 or above$/],
    ['EADDRNOTAVAIL', /^127\.0\.0\.1 is not an address of this machine: set HOST \(serve --host\)/],
  ])('names the setting to change after %s', (code, message) => {
    const error = toListenError(Object.assign(new Error(code), { code }), ADDRESS);
    expect(error).toBeInstanceOf(OperatorError);
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
  });

  it('returns any other error as it is', () => {
    const error = new Error('EMFILE');
    expect(toListenError(error, ADDRESS)).toBe(error);
  });
});
