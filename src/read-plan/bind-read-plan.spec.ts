import { describe, expect, it } from '@jest/globals';
import { scalarColumn } from '../../test/support/column.js';
import { bindReadPlan } from './bind-read-plan.js';
import { parseReadPlan } from './parse-read-plan.js';
import type { ReadRequest } from './read-plan.js';

const text = (name: string) => scalarColumn(name, 'VARCHAR');
const NAME = text('Name');
const PLACE = text('place');
const LOWER = text('é');
const UPPER = text('É');
const COLUMNS = [NAME, PLACE, LOWER, UPPER];

const bind = (request: Partial<ReadRequest>) =>
  bindReadPlan(parseReadPlan({ format: 'json', ...request }, 10), COLUMNS);

describe('bindReadPlan', () => {
  it('selects all columns of the result when none are asked for', () => {
    expect(bind({})).toEqual({ projection: COLUMNS, sortKeys: [], page: { offset: 0, limit: 10 } });
  });

  it('replaces each name by its column', () => {
    const plan = bind({ columns: 'place,Name', filters: `Name = 'a' OR place IS NULL`, sortBy: 'place' });
    expect(plan.projection).toEqual([PLACE, NAME]);
    expect(plan.sortKeys).toEqual([{ column: PLACE, direction: 'ASC' }]);
    expect(plan.filter).toEqual({
      kind: 'logical',
      connective: 'OR',
      operands: [
        {
          kind: 'comparison',
          column: NAME,
          operator: '=',
          value: { text: 'a', castTo: 'VARCHAR', literalIs: 'equal' },
        },
        { kind: 'is_null', column: PLACE },
      ],
    });
  });

  it('finds a column without regard to case, but prefers the exact name', () => {
    expect(bind({ columns: 'NAME,é' }).projection).toEqual([NAME, LOWER]);
    expect(bind({ columns: 'É' }).projection).toEqual([UPPER]);
  });

  it('rejects a name that could be several columns', () => {
    const plan = parseReadPlan({ format: 'json', sortBy: 'AB' }, 10);
    expect(() => bindReadPlan(plan, [text('ab'), text('aB')])).toThrow(
      expect.objectContaining({
        code: 'ambiguous_column',
        message: 'sort_by: "AB" can mean "ab", "aB", write the name exactly',
      }),
    );
  });

  it.each<[string, Partial<ReadRequest>]>([
    ['filters', { filters: `nmae = 'x'` }],
    ['columns', { columns: 'nmae' }],
    ['sort_by', { sortBy: 'nmae desc' }],
  ])('lists the nearest names for an unknown one in %s', (parameter, request) => {
    expect(() => bind(request)).toThrow(
      expect.objectContaining({
        code: 'unknown_column',
        message: `${parameter}: there is no column "nmae", the nearest names are "Name", "place", "é"`,
      }),
    );
  });

  it('rejects a column that is asked for twice, in whatever case', () => {
    expect(() => bind({ columns: 'Name,place,name' })).toThrow(
      'columns: "name" is asked for twice, name each column once',
    );
  });

  it('lets the first criterion of a column decide its order', () => {
    expect(bind({ sortBy: 'Name desc, place, name' }).sortKeys).toEqual([
      { column: NAME, direction: 'DESC' },
      { column: PLACE, direction: 'ASC' },
    ]);
  });
});
