import { describe, expect, it } from '@jest/globals';
import { parseExecutionId } from './execution-id.pipe.js';
import { InvalidExecutionIdError } from './executions.errors.js';

const ID = '01K9Z3V7Q4M2W8R6T5Y1X0C9B8';

describe('parseExecutionId', () => {
  it('takes a ULID in either case', () => {
    expect([ID, ID.toLowerCase()].map(parseExecutionId)).toEqual([ID, ID]);
  });

  it.each(['', '1', `${ID}0`, ID.slice(1), ID.replace('Z', 'U'), ` ${ID}`])('rejects %j', (text) => {
    expect(() => parseExecutionId(text)).toThrow(InvalidExecutionIdError);
  });
});
