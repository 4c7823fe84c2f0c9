import { describe, expect, it } from '@jest/globals';
import { findKeyText } from './find-key-text.js';

const BRANDS = ['service', 'Acme'];

describe('findKeyText', () => {
  it.each([
    ['the header of a brand', { headers: { 'x-service-api-key': 'k' } }, 'k'],
    ['the header of another brand, whatever its case in the setting', { headers: { 'x-acme-api-key': 'k' } }, 'k'],
    ['the query parameter', { headers: {}, query: { api_key: 'k' } }, 'k'],
    ['the first of repeated query parameters', { headers: {}, query: { api_key: ['k', 'other'] } }, 'k'],
    ['the header before the query parameter', { headers: { 'x-acme-api-key': 'k' }, query: { api_key: 'other' } }, 'k'],
    [
      'the query parameter when the header is empty',
      { headers: { 'x-service-api-key': '' }, query: { api_key: 'k' } },
      'k',
    ],
  ])('reads %s', (_place, request, text) => {
    expect(findKeyText(request, BRANDS)).toBe(text);
  });

  it.each([
    ['nothing', { headers: {} }],
    ['the header of a brand that is not set', { headers: { 'x-other-api-key': 'k' } }],
    ['a query parameter that is an object', { headers: {}, query: { api_key: { nested: 'k' } } }],
  ])('finds no key in %s', (_place, request) => {
    expect(findKeyText(request, BRANDS)).toBeUndefined();
  });
});
