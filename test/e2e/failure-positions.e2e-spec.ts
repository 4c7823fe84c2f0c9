import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SharedServer } from '../support/shared-server.js';

const CITY = 'San Francisco and more';

describe('error.metadata of a failed execution', () => {
  let server: SharedServer;

  beforeAll(async () => {
    server = await SharedServer.use();
  });
  afterAll(() => server.leave());

  /** What `metadata` marks in a saved text. */
  const marked = (saved: string, { offset, length, ...rest }: { offset: number; length: number }) => ({
    text: saved.slice(offset, offset + length),
    ...rest,
  });

  async function failureOf(saved: string, values: object) {
    const parameters = [{ key: 'city' }, { key: 'n', type: 'number', value: '1' }];
    const id = await server.givenQuery(saved, { parameters });
    const execution = await server.givenExecution(id, { query_parameters: { city: CITY, ...values } });
    return (await server.get(`/execution/${execution}/status`)).body.error;
  }

  it.each([
    ['of the engine', "SELECT '{{city}}' AS c, nosuch -- {{n}}", { text: 'nosuch', line: 1, column: 25 }],
    ['of the gate', "SELECT '{{city}}',\n{{n}}, read_text('a')", { text: 'read_text', line: 2, column: 8 }],
    ['of an unknown table', "SELECT '{{city}}', {{n}}\nFROM nowhere", { text: 'nowhere', line: 2, column: 6 }],
    ['of a literal with a value', "SELECT {{n}}, '{{city}}'::INTEGER", { text: ':', line: 1, column: 25 }],
    ['in a value', 'SELECT {{n}},\n  {{ city }} + 1', { text: '{{ city }}', line: 2, column: 3, parameter: 'city' }],
    [
      'behind spaces of Unicode',
      "\u00a0SELECT\u2003'{{city}}', {{n}},\u00a0nosuch",
      { text: 'nosuch', line: 1, column: 28 },
    ],
    [
      'of the gate behind them',
      "\u00a0SELECT\u00a0'{{city}}', {{n}},\u00a0read_text('a')",
      { text: 'read_text', line: 1, column: 28 },
    ],
  ])('is the place %s in the saved text', async (_, saved, place) => {
    const values = 'parameter' in place && place.parameter === 'city' ? { city: 'nosuch_column' } : {};
    const { type, metadata } = await failureOf(saved, values);
    expect(type).toBe('FAILED_TYPE_EXECUTION_FAILED');
    expect(marked(saved, metadata)).toEqual(place);
  });

  it('is the place in the text that was run, whatever the query is now', async () => {
    const saved = "SELECT '{{city}}', nosuch";
    const id = await server.givenQuery(saved, { parameters: [{ key: 'city' }] });
    const execution = await server.givenExecution(id, { query_parameters: { city: CITY } });
    await server.patch(`/query/${id}`, { query_sql: 'SELECT 1', parameters: [] });
    const { metadata } = (await server.get(`/execution/${execution}/results`)).body.error;
    expect(marked(saved, metadata)).toEqual({ text: 'nosuch', line: 1, column: 20 });
  });

  it.each([
    ['of the engine', "SELECT '{{city}}', nosuch", { text: 'nosuch', line: 1, column: 20 }],
    ['of the parser', "SELECT '{{city}}' AS c, 1 frm a b", { text: 'a', line: 1, column: 31 }],
    [
      'of the parser behind spaces of Unicode',
      "\u00a0SELECT\u00a0'{{city}}' frm a b",
      { text: 'a', line: 1, column: 24 },
    ],
  ])('is the place %s in SQL as it was sent', async (_, sql, place) => {
    const { body } = await server.post('/sql/execute', { sql, query_parameters: { city: CITY } });
    const { metadata } = (await server.untilEnded(body.execution_id)).body.error;
    expect(marked(sql, metadata)).toEqual(place);
  });

  it('is the placeholder of a value that is no SQL', async () => {
    const { metadata } = await failureOf('SELECT {{n}} FROM {{ city }} {{city}}', { city: 'a b' });
    expect(metadata).toEqual({ line: 1, column: 30, offset: 29, length: 8, parameter: 'city' });
  });
});
