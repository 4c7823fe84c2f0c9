import { describe, expect, it } from '@jest/globals';
import { createHttpAdapter } from '../http/http-adapter.js';
import { isHttpUrl, isNetwork, isOrigin } from './addresses.js';
import { Config } from './config.js';

describe('isOrigin', () => {
  it.each(['https://sql.example.org', 'http://127.0.0.1:8080', 'https://[::1]:8443', 'http://localhost'])(
    'takes %s',
    (text) => {
      expect(isOrigin(text)).toBe(true);
      expect(new URL(text).origin).toBe(text);
    },
  );

  it.each([
    'https://x:99999',
    'https://x:port',
    'https://[::1',
    'https://a b',
    'https://1.2.3.999',
    'https://user:password@x',
    'https://x\\y',
    'https://x/',
    'https://x?y',
    'https://',
    'ftp://x',
    'x.example.org',
  ])('refuses %s', (text) => {
    expect(isOrigin(text)).toBe(false);
  });
});

describe('isNetwork', () => {
  it.each([
    '10.1.2.3',
    '10.0.0.0/8',
    '1.2.3.4/32',
    '::1',
    'fd00::/8',
    '::ffff:10.0.0.1/104',
    'fe80::1/128',
    'loopback',
    'linklocal',
    'uniquelocal',
  ])('takes %s, as the server does', (text) => {
    expect(isNetwork(text)).toBe(true);
    expect(() => createHttpAdapter(Object.assign(new Config(), { TRUST_PROXY: [text] }))).not.toThrow();
  });

  it.each([
    'aaaa',
    '1.2.3.4/99',
    '1.2.3.4/33',
    '1.2.3.4/0',
    '::1/129',
    '1.2.3',
    '1.2.3.256',
    ':::',
    '1.2.3.4/',
    'local',
  ])('refuses %s', (text) => {
    expect(isNetwork(text)).toBe(false);
  });
});

describe('isHttpUrl', () => {
  it.each([
    ['http://127.0.0.1:4318/v1/traces', true],
    ['https://collector.example.org', true],
    ['127.0.0.1:4318', false],
    ['file:///tmp/traces', false],
  ])('of %s is %s', (text, expected) => {
    expect(isHttpUrl(text)).toBe(expected);
  });
});
