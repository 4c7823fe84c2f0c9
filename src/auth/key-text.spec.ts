import { describe, expect, it } from '@jest/globals';
import { generateKeyText, hashKeyText, keyTextPrefix } from './key-text.js';

describe('generateKeyText', () => {
  it('marks the key and makes each one different', () => {
    const texts = Array.from({ length: 100 }, generateKeyText);
    expect(texts.every((text) => /^eider_[A-Za-z0-9_-]{32}$/.test(text))).toBe(true);
    expect(new Set(texts).size).toBe(100);
  });
});

describe('hashKeyText', () => {
  it('is SHA-256 in hex', () => {
    expect(hashKeyText('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('keyTextPrefix', () => {
  it.each([
    ['eider_AbCdEfGh', 'eider_AbCd'],
    ['given-by-the-operator', 'give'],
  ])('shows of %s only %s', (text, prefix) => {
    expect(keyTextPrefix(text)).toBe(prefix);
  });
});
