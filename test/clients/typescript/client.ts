import { ok as assert, deepEqual } from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

// Calls every operation with the types that openapi-typescript has made of the document. The test
// copies this file beside them, compiles it, and runs it. It prints the operations that it has
// called.

const { EIDER_URL: baseUrl = '', EIDER_KEY: key = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { 'X-SERVICE-API-KEY': key } });

const called = new Set<string>();
client.use({
  onRequest: ({ request, schemaPath }) => {
    called.add(`${request.method.toLowerCase()} ${schemaPath}`);
  },
});

/** The data of an answer that succeeded. */
function dataOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  assert(data !== undefined, `${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

/** Sends a body as it is: without it, every body is made JSON. */
const asItIs = (contentType: string) => ({
  headers: { 'content-type': contentType },
  bodySerializer: (body: unknown) => String(body),
});

async function callQueries(): Promise<number> {
  const { query_id } = dataOf(
    await client.POST('/api/v1/query', {
      body: {
        name: 'Numbers',
        query_sql: "SELECT range AS n, '{{word}}' AS word, NULL AS nothing FROM range({{rows}})",
        parameters: [
          { key: 'word', type: 'text', value: 'a' },
          { key: 'rows', type: 'number', value: 3 },
        ],
      },
    }),
  );
  const path = { query_id };
  dataOf(await client.PATCH('/api/v1/query/{query_id}', { params: { path }, body: { tags: ['made by a client'] } }));
  dataOf(await client.POST('/api/v1/query/{query_id}/archive', { params: { path } }));
  dataOf(await client.POST('/api/v1/query/{query_id}/unarchive', { params: { path } }));
  dataOf(await client.POST('/api/v1/query/{query_id}/private', { params: { path } }));
  dataOf(await client.POST('/api/v1/query/{query_id}/unprivate', { params: { path } }));
  const query = dataOf(await client.GET('/api/v1/query/{query_id}', { params: { path } }));
  deepEqual([query.name, query.tags, query.is_archived], ['Numbers', ['made by a client'], false]);
  const list = dataOf(await client.GET('/api/v1/queries', { params: { query: { limit: 5, scope: 'own' } } }));
  assert(list.queries.some(({ id }) => id === query_id));
  return query_id;
}

async function callExecutions(query_id: number): Promise<string> {
  const started = dataOf(
    await client.POST('/api/v1/query/{query_id}/execute', {
      params: { path: { query_id } },
      body: { query_parameters: { word: 'b', rows: 5 }, performance: 'medium' },
    }),
  );
  deepEqual([started.state, started.warnings], ['QUERY_STATE_PENDING', undefined]);
  await untilFinished(started.execution_id);

  const sql = { sql: 'SELECT {{n}} AS n', query_parameters: { n: 1 } };
  const other = dataOf(await client.POST('/api/v1/sql/execute', { body: sql }));
  const params = { path: { execution_id: other.execution_id } };
  await untilFinished(other.execution_id);
  deepEqual(dataOf(await client.POST('/api/v1/execution/{execution_id}/cancel', { params })), { success: false });
  const deleted = dataOf(await client.DELETE('/api/v1/execution/{execution_id}', { params }));
  deepEqual(deleted.state, 'QUERY_STATE_EXPIRED');
  const list = dataOf(await client.GET('/api/v1/executions', { params: { query: { query_id } } }));
  deepEqual(
    list.executions.map(({ execution_id }) => execution_id),
    [started.execution_id],
  );
  return started.execution_id;
}

async function untilFinished(execution_id: string): Promise<void> {
  for (;;) {
    const params = { path: { execution_id } };
    const status = dataOf(await client.GET('/api/v1/execution/{execution_id}/status', { params }));
    if (status.is_execution_finished) return deepEqual(status.state, 'QUERY_STATE_COMPLETED');
    await setTimeout(50);
  }
}

async function callResults(query_id: number, execution_id: string): Promise<void> {
  const query = { limit: 2, offset: 1, filters: 'n > 0', columns: 'n,nothing', sort_by: 'n desc' };
  const ofExecution = { params: { path: { execution_id }, query } };
  const ofQuery = { params: { path: { query_id }, query } };
  const rows = [
    { n: 3, nothing: null },
    { n: 2, nothing: null },
  ];
  for (const page of [
    dataOf(await client.GET('/api/v1/execution/{execution_id}/results', ofExecution)),
    dataOf(await client.GET('/api/v1/query/{query_id}/results', ofQuery)),
  ]) {
    deepEqual(page.result?.rows, rows);
    deepEqual([page.next_offset, page.warnings], [3, undefined]);
  }
  for (const csv of [
    dataOf(await client.GET('/api/v1/execution/{execution_id}/results/csv', { ...ofExecution, parseAs: 'text' })),
    dataOf(await client.GET('/api/v1/query/{query_id}/results/csv', { ...ofQuery, parseAs: 'text' })),
  ]) {
    deepEqual(csv, 'n,nothing\n3,\n2,\n');
  }
  const { error } = await client.GET('/api/v1/query/{query_id}/results', {
    params: { path: { query_id }, query: { filters: 'NOT n' } },
  });
  deepEqual(error?.code, 'filter_syntax');
}

async function callTables(): Promise<void> {
  const data = 'city,price\nParis,5.5\n';
  const uploaded = dataOf(await client.POST('/api/v1/table/upload/csv', { body: { table_name: 'prices', data } }));
  deepEqual(uploaded.rows_written, 1);
  const raw = { params: { query: { table_name: 'prices2' } }, body: data, ...asItIs('text/csv') };
  deepEqual(dataOf(await client.POST('/api/v1/uploads/csv', raw)).rows_written, 1);

  const schema = [{ name: 'n', type: 'integer' as const }];
  const [namespace = ''] = uploaded.full_name.split('.');
  dataOf(await client.POST('/api/v1/table/create', { body: { table_name: 'numbers', schema } }));
  dataOf(await client.POST('/api/v1/uploads', { body: { table_name: 'numbers2', schema, is_private: null } }));
  const params = { path: { namespace, table: 'numbers' } };
  const params2 = { path: { namespace, table: 'numbers2' } };
  const csv = { params, body: 'n\n1\n2\n', ...asItIs('text/csv') };
  const lines = { params: params2, body: '{"n":1}\n', ...asItIs('application/x-ndjson') };
  deepEqual(dataOf(await client.POST('/api/v1/table/{namespace}/{table}/insert', csv)).rows_written, 2);
  deepEqual(dataOf(await client.POST('/api/v1/uploads/{namespace}/{table}/insert', lines)).rows_written, 1);
  const list = dataOf(await client.GET('/api/v1/tables', { params: { query: { limit: 10 } } }));
  const again = dataOf(await client.GET('/api/v1/uploads', { params: { query: { search: 'numbers2' } } }));
  deepEqual([list.tables.length, again.tables.map((table) => table.full_name)], [4, [`${namespace}.numbers2`]]);
  dataOf(await client.POST('/api/v1/table/{namespace}/{table}/clear', { params }));
  dataOf(await client.POST('/api/v1/uploads/{namespace}/{table}/clear', { params: params2 }));
  dataOf(await client.DELETE('/api/v1/table/{namespace}/{table}', { params }));
  dataOf(await client.DELETE('/api/v1/uploads/{namespace}/{table}', { params: params2 }));
}

/** What the types refuse: none of these lines is run. */
export function refused(): unknown[] {
  return [
    // @ts-expect-error a query id is a number
    client.GET('/api/v1/query/{query_id}', { params: { path: { query_id: '1' } } }),
    // @ts-expect-error a query has a text
    client.POST('/api/v1/query', { body: { name: 'a' } }),
    // @ts-expect-error the parameter is sort_by
    client.GET('/api/v1/query/{query_id}/results', { params: { path: { query_id: 1 }, query: { sortby: 'n' } } }),
  ];
}

const queryId = await callQueries();
await callResults(queryId, await callExecutions(queryId));
await callTables();
deepEqual(dataOf(await client.GET('/health/live')), { status: 'ok' });
deepEqual(dataOf(await client.GET('/health/ready')), { status: 'ok' });
process.stdout.write(JSON.stringify([...called]));
