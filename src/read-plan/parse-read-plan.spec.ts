import { describe, expect, it } from '@jest/globals';
import { parseReadPlan } from './parse-read-plan.js';
import { InvalidPageError, InvalidSampleError, SampleCombinationError } from './read-plan.errors.js';
import type { ReadRequest } from './read-plan.js';

const parse = (request: Partial<ReadRequest>) => parseReadPlan({ format: 'json', ...request }, 30_000);

describe('parseReadPlan', () => {
  it('means all rows and columns in stored order when nothing is asked', () => {
    expect(parse({})).toEqual({ projection: 'all', sortKeys: [], page: { offset: 0, limit: 30_000 } });
  });

  it('reads each parameter', () => {
    expect(parse({ limit: '10', offset: '20', filters: 'a = 1', columns: 'b,a', sortBy: 'a desc' })).toEqual({
      projection: ['b', 'a'],
      filter: { kind: 'comparison', column: 'a', operator: '=', value: { kind: 'number', text: '1' } },
      sortKeys: [{ column: 'a', direction: 'DESC' }],
      page: { offset: 20, limit: 10 },
    });
  });

  it.each(['', ' ', '\t\n'])('counts the parameter text %j as absent', (text) => {
    const empty = {
      limit: text,
      offset: text,
      filters: text,
      columns: text,
      sortBy: text,
      sampleCount: text,
      sampleSeed: text,
    };
    expect(parse(empty)).toEqual(parse({}));
  });

  it.each([
    ['0', 0],
    ['007', 7],
    ['30000', 30_000],
    ['500000', 30_000],
    ['99999999999999999999', 30_000],
  ])('takes limit %j as %d rows', (limit, rows) => {
    expect(parse({ limit }).page).toEqual({ offset: 0, limit: rows });
  });

  it('reads a CSV without limit to its end, and lowers a limit that it has', () => {
    expect(parse({ format: 'csv', offset: '5' }).page).toEqual({ offset: 5 });
    expect(parse({ format: 'csv', limit: '500000' }).page).toEqual({ offset: 0, limit: 30_000 });
  });

  it('takes an offset beyond any result', () => {
    expect(parse({ offset: '9'.repeat(400) }).page.offset).toBe(Number.MAX_SAFE_INTEGER);
  });

  it.each(['abc', '-1', '1.5', '1e3', '0x10', '+1', '1 2', '١'])('rejects %j as limit and as offset', (text) => {
    expect(() => parse({ limit: text })).toThrow(new InvalidPageError('limit', text));
    expect(() => parse({ offset: text })).toThrow(`offset: must be a whole number of at least 0, got '${text}'`);
  });

  it('reads a sample of the whole result, with its columns and order', () => {
    expect(parse({ sampleCount: '100', columns: 'a', sortBy: 'a', format: 'csv' })).toEqual({
      projection: ['a'],
      sortKeys: [{ column: 'a', direction: 'ASC' }],
      page: { offset: 0 },
      sample: { count: 100 },
    });
  });

  it('keeps a seed as the number it is', () => {
    expect(parse({ sampleCount: '100', sampleSeed: '-007' }).sample).toEqual({ count: 100, seed: '-7' });
  });

  it('ignores a seed without a sample', () => {
    expect(parse({ sampleSeed: '7' })).toEqual(parse({}));
  });

  it.each(['abc', '-1', '1.5', '1e3'])('rejects the sample_count %j', (sampleCount) => {
    expect(() => parse({ sampleCount })).toThrow(
      new InvalidSampleError('sample_count', 'a whole number of at least 0', sampleCount),
    );
  });

  it.each(['abc', '1.5', '-', '1'.repeat(41)])('rejects the sample_seed %j', (sampleSeed) => {
    expect(() => parse({ sampleCount: '1', sampleSeed })).toThrow(/^sample_seed: must be a whole number/);
  });

  it.each<[string, Partial<ReadRequest>]>([
    ['limit', { limit: '10' }],
    ['offset', { offset: '0' }],
    ['filters', { filters: 'a = 1' }],
    ['offset, limit, filters', { filters: 'a = 1', limit: '10', offset: '5' }],
  ])('rejects sample_count beside %s', (names, others) => {
    expect(() => parse({ sampleCount: '10', ...others })).toThrow(`sample_count cannot be combined with ${names}`);
    expect(() => parse({ sampleCount: '10', ...others })).toThrow(SampleCombinationError);
  });
});
