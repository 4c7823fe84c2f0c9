import { describe, expect, it } from '@jest/globals';
import { formatSize, parseDurationMs, parseSize } from './units.js';

describe('parseSize', () => {
  it.each([
    ['0', 0],
    ['1000', 1_000],
    ['8GB', 8_000_000_000],
    ['512 MiB', 536_870_912],
    ['1.5kb', 1_500],
  ])('reads %s', (text, bytes) => expect(parseSize(text)).toBe(bytes));

  it.each(['', 'GB', '-1', '1 XB', '1e3', '8GB!'])('refuses %s', (text) => expect(parseSize(text)).toBeNaN());
});

describe('parseDurationMs', () => {
  it.each([
    ['90', 90_000],
    ['250ms', 250],
    ['30m', 1_800_000],
    ['1.5h', 5_400_000],
  ])('reads %s', (text, milliseconds) => expect(parseDurationMs(text)).toBe(milliseconds));

  it.each(['', 'm', '5 years', '-3s'])('refuses %s', (text) => expect(parseDurationMs(text)).toBeNaN());
});

describe('formatSize', () => {
  it.each([
    [12, '12 bytes'],
    [1_500, '1.5 kB'],
    [64_000_000, '64 MB'],
    [8_000_000_000, '8 GB'],
  ])('prints %d as %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));
});
