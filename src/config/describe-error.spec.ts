import { describe, expect, it } from '@jest/globals';
import { errorDescriber } from './describe-error.js';

describe('errorDescriber', () => {
  const describeError = errorDescriber({ DATA_DIR: 'data' });

  it('names the data folder and the program without telling where they are', () => {
    const error = new TypeError(`cannot read ${process.cwd()}/data/results/a.parquet`);
    expect(describeError(error)).toEqual({
      type: 'TypeError',
      message: 'cannot read DATA_DIR/results/a.parquet',
      stack: expect.stringContaining('./src/config/describe-error.spec.ts'),
    });
    expect(JSON.stringify(describeError(error))).not.toContain(process.cwd());
  });

  it('tells the causes', () => {
    const error = new Error('outer', { cause: new Error(`inner ${process.cwd()}`) });
    expect(describeError(error)).toMatchObject({ message: 'outer: inner .' });
  });

  it.each(['text', undefined, null, { a: 1 }])('describes %j, which is no error', (thrown) => {
    expect(describeError(thrown)).toEqual({ message: String(thrown) });
  });
});
