import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';

interface Operation {
  summary?: string;
  parameters?: { name: string; schema: { type: string } }[];
  responses: Record<string, { content?: Record<string, { schema?: { $ref?: string } }> }>;
}

/** Every call of `interface.md`, sections 3 to 5. */
const CALLS = [
  'get /api/v1/execution/{execution_id}/results',
  'get /api/v1/execution/{execution_id}/results/csv',
  'get /api/v1/execution/{execution_id}/status',
  'get /api/v1/queries',
  'get /api/v1/query/{query_id}',
  'get /api/v1/query/{query_id}/results',
  'get /api/v1/query/{query_id}/results/csv',
  'patch /api/v1/query/{query_id}',
  'post /api/v1/execution/{execution_id}/cancel',
  'post /api/v1/query',
  'post /api/v1/query/{query_id}/archive',
  'post /api/v1/query/{query_id}/execute',
  'post /api/v1/query/{query_id}/private',
  'post /api/v1/query/{query_id}/unarchive',
  'post /api/v1/query/{query_id}/unprivate',
  'post /api/v1/sql/execute',
];

describe('GET /api/openapi.json', () => {
  let server: TestServer;
  let text: string;

  beforeAll(async () => {
    server = await TestServer.start();
    text = await (await fetch(`${server.url}/api/openapi.json`)).text();
  });

  afterAll(() => stopWithoutLeaks(server));

  const operations = () => {
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> };
    return Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/v1/'))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, call]) => ({ name: `${method} ${path}`, call })),
      );
  };

  it('refers only to schemas that it has', () => {
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, object> } };
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(references).toContain('ParameterDto');
    expect(references.filter((name) => !(name in components.schemas))).toEqual([]);
  });

  it('tells ids, counts and sizes as integers', () => {
    const numbers = [...text.matchAll(/"(\w+)":\{(?:[^{}]*,)?"type":"number"/g)].map((match) => match[1]);
    expect([...new Set(numbers)]).toEqual(['progress_percentage']);
    const ids = operations().flatMap(({ call }) => call.parameters?.filter(({ name }) => name === 'query_id') ?? []);
    expect(new Set(ids.map(({ schema }) => schema.type))).toEqual(new Set(['integer']));
  });

  it('has every call', () => {
    expect(operations().map(({ name }) => name)).toEqual(expect.arrayContaining(CALLS));
  });

  it('describes the body of every failure, and of every success that has one', () => {
    const incomplete = operations().flatMap(({ name, call }) =>
      Object.entries(call.responses)
        .filter(([status, { content }]) => {
          if (status === '200') return !Object.values(content ?? {}).some(({ schema }) => schema);
          return content?.['application/json']?.schema?.$ref !== '#/components/schemas/ErrorDocument';
        })
        .map(([status]) => `${name} ${status}`),
    );
    expect(incomplete).toEqual([]);
  });

  it('tells every way to send the key', () => {
    const { components, security } = JSON.parse(text);
    expect(components.securitySchemes).toEqual({
      query: { type: 'apiKey', in: 'query', name: 'api_key' },
      service: { type: 'apiKey', in: 'header', name: 'X-SERVICE-API-KEY' },
    });
    expect(security).toEqual([{ service: [] }, { query: [] }]);
  });

  it('has pages for people', async () => {
    const answer = await fetch(`${server.url}/api/docs`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await answer.text()).toContain('<title>Eider API</title>');
  });

  it('says of every call what it is for, and how it answers a bad key', () => {
    expect(operations().length).toBeGreaterThan(10);
    const incomplete = operations().filter(
      ({ call }) => !call.summary || !call.responses['200'] || !call.responses['401'],
    );
    expect(incomplete.map(({ name }) => name)).toEqual([]);
  });
});
