import { describe, expect, it } from '@jest/globals';
import { EngineError } from './engine-error.js';

describe('EngineError', () => {
  it.each([
    ['Binder Error: no such column', 'Binder', 'no such column'],
    ['Out of Memory Error: failed\nto allocate', 'Out of Memory', 'failed\nto allocate'],
    ['INTERNAL Error: broken\n\nStack Trace:\n\n/opt/lib.so', 'INTERNAL', 'broken'],
    ['something else', 'Unknown', 'something else'],
  ])('reads %j', (text, type, message) => {
    expect(EngineError.from({ message: text })).toMatchObject({ type, message });
  });

  it('keeps one that it is already, and any other as its cause', () => {
    const error = EngineError.from('thrown text');
    expect(EngineError.from(error)).toBe(error);
    expect(error).toMatchObject({ cause: 'thrown text', message: 'thrown text' });
  });
});
