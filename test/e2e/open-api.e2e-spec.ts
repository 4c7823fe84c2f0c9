import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestServer } from '../support/server.js';

interface Operation {
  summary?: string;
  parameters?: { name: string; schema: { type: string } }[];
  responses: Record<string, unknown>;
}

describe('GET /api/openapi.json', () => {
  let server: TestServer;
  let text: string;

  beforeAll(async () => {
    server = await TestServer.start();
    text = await (await fetch(`${server.url}/api/openapi.json`)).text();
  });

  afterAll(() => server.stop());

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

  it('says of every call what it is for, and how it answers a bad key', () => {
    expect(operations().length).toBeGreaterThan(10);
    const incomplete = operations().filter(
      ({ call }) => !call.summary || !call.responses['200'] || !call.responses['401'],
    );
    expect(incomplete.map(({ name }) => name)).toEqual([]);
  });
});
