/** A request, and the status that it is to be answered with. */
export interface Call {
  /** After `/api/v1`, or from the root if the call is not below it. */
  readonly path: string;
  readonly status: number;
  readonly query?: Record<string, string>;
  readonly body?: object | string;
  readonly contentType?: string;
  readonly contentEncoding?: string;
  readonly ifNoneMatch?: string;
  /** The one that may do everything, if absent. */
  readonly key?: string;
  /** Length that the request announces instead of a body, for one that is refused by its length. */
  readonly bodyBytes?: number;
}

/** What the calls find. */
export interface Given {
  /** Key of an account whose plan has no private tables and little storage. */
  readonly poorKey: string;
  /**
   * Key of an account whose stored results use up its plan, and the result of a public query of
   * another.
   */
  readonly fullKey: string;
  readonly foreign: string;
  /**
   * Saved queries with a stored result; the result of `wide` has a row that is larger than a page.
   */
  readonly query: number;
  readonly wideQuery: number;
  /** Executions. */
  readonly completed: string;
  readonly wide: string;
  readonly failed: string;
  readonly executing: string;
  readonly pending: string;
}

/** By the name of the operation, such as `post /api/v1/query`. */
export type Calls = Readonly<Record<string, readonly Call[]>>;

const UNKNOWN_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const TOO_LARGE = { sql: 'x'.repeat(1_000_000) };
const COMPRESSED = { body: { sql: 'x' }, contentEncoding: 'gzip', status: 415 };
const MALFORMED = '%E0%A4%A';
/** More than the storage of the smallest plan. */
const MANY_ROWS = `n\n${Array.from({ length: 80_000 }, () => Math.random().toString(36).repeat(2)).join('\n')}\n`;

/**
 * Calls of every operation for every status that a client can bring about, in the order in which
 * they have to come.
 */
export function exampleCalls(given: Given): Calls {
  return {
    ...queryCalls(given),
    ...resultCalls(given),
    ...executionCalls(given),
    ...tableCalls(given, { upload: 'table/upload/csv', create: 'table/create', table: 'table', list: 'tables' }),
    ...tableCalls(given, { upload: 'uploads/csv', create: 'uploads', table: 'uploads', list: 'uploads' }),
    'get /health/live': [{ path: '/health/live', status: 200 }],
    'get /health/ready': [{ path: '/health/ready', status: 200 }],
  };
}

function queryCalls({ query, poorKey }: Given): Calls {
  const parameters = [
    { key: 'word', type: 'enum', value: 'a', enumOptions: ['a', 'b'], description: 'A word.' },
    { key: 'size', value: 5 },
  ];
  const wish = {
    name: 'Words',
    query_sql: "SELECT '{{word}}'",
    description: '',
    is_private: false,
    tags: ['a'],
    parameters,
  };
  const short = { name: 'a', query_sql: 'SELECT 1', query_parameters: { a: 'b', c: 1 } };
  const change = (name: string): Calls => {
    const own = { path: `/query/${query}/${name}`, status: 200 };
    // A private query does not exist for others.
    const ofOther = { ...own, key: poorKey, status: 403 };
    return {
      [`post /api/v1/query/{query_id}/${name}`]: [
        ...(name === 'private' ? [ofOther, own] : [own, ofOther]),
        { path: `/query/x/${name}`, status: 400 },
        { path: `/query/999999/${name}`, status: 404 },
      ],
    };
  };
  return {
    'post /api/v1/query': [
      { path: '/query', body: wish, status: 200 },
      { path: '/query', body: short, status: 200 },
      { path: '/query', body: {}, status: 400 },
      { path: '/query', body: TOO_LARGE, status: 413 },
      { path: '/query', ...COMPRESSED },
    ],
    'get /api/v1/queries': listCalls('/queries'),
    'get /api/v1/query/{query_id}': [
      { path: `/query/${query}`, status: 200 },
      { path: '/query/x', status: 400 },
      { path: '/query/999999', status: 404 },
    ],
    'patch /api/v1/query/{query_id}': [
      { path: `/query/${query}`, body: { name: 'b', tags: [], is_archived: false }, status: 200 },
      { path: `/query/${query}`, body: { name: 5 }, status: 400 },
      { path: `/query/${query}`, body: {}, key: poorKey, status: 403 },
      { path: '/query/999999', body: {}, status: 404 },
      { path: `/query/${query}`, body: TOO_LARGE, status: 413 },
      { path: `/query/${query}`, ...COMPRESSED },
    ],
    ...change('archive'),
    ...change('unarchive'),
    ...change('private'),
    ...change('unprivate'),
  };
}

function executionCalls({ fullKey, foreign, query, wideQuery, completed, failed, executing, pending }: Given): Calls {
  const choices = { query_parameters: { word: 'a' }, performance: 'large' };
  const inQuery = { wait_seconds: '0', query_parameters: '{"word":"a"}', performance: 'medium' };
  const byName = { 'params.word': 'a' };
  const sql = "SELECT '{{word}}'";
  return {
    'post /api/v1/query/{query_id}/execute': [
      { path: `/query/${query}/execute`, body: choices, status: 200 },
      { path: `/query/${query}/execute`, query: inQuery, status: 200 },
      { path: `/query/${query}/execute`, query: byName, status: 200 },
      { path: `/query/${wideQuery}/execute`, status: 200 },
      { path: `/query/${query}/execute`, body: { query_parameters: { other: 1 } }, status: 400 },
      { path: `/query/${query}/execute`, body: choices, key: fullKey, status: 402 },
      { path: '/query/999999/execute', status: 404 },
      { path: `/query/${query}/execute`, body: TOO_LARGE, status: 413 },
      { path: `/query/${query}/execute`, ...COMPRESSED },
    ],
    'post /api/v1/sql/execute': [
      { path: '/sql/execute', body: { sql, ...choices }, status: 200 },
      { path: '/sql/execute', body: { sql }, query: inQuery, status: 200 },
      { path: '/sql/execute', body: { sql }, query: byName, status: 200 },
      { path: '/sql/execute', body: {}, status: 400 },
      { path: '/sql/execute', body: { sql }, query: byName, key: fullKey, status: 402 },
      { path: '/sql/execute', body: TOO_LARGE, status: 413 },
      { path: '/sql/execute', ...COMPRESSED },
    ],
    'get /api/v1/execution/{execution_id}/status': [
      ...[completed, failed, executing, pending].map((id) => ({ path: `/execution/${id}/status`, status: 200 })),
      { path: `/execution/${completed}/status`, query: { wait_seconds: '60' }, status: 200 },
      { path: '/execution/x/status', status: 400 },
      { path: `/execution/${UNKNOWN_ID}/status`, status: 404 },
    ],
    'get /api/v1/executions': [
      { path: '/executions', status: 200 },
      {
        path: '/executions',
        query: {
          limit: '2',
          offset: '0',
          query_id: '0',
          state: 'QUERY_STATE_COMPLETED',
          trigger: 'api',
          since: '2026-03-01T10:20:30.000Z',
        },
        status: 200,
      },
      { path: '/executions', query: { since: 'x' }, status: 400 },
    ],
    'delete /api/v1/execution/{execution_id}': [
      { path: `/execution/${completed}`, status: 200 },
      { path: `/execution/${failed}`, status: 200 },
      { path: '/execution/x', status: 400 },
      { path: `/execution/${foreign}`, status: 403 },
      { path: `/execution/${UNKNOWN_ID}`, status: 404 },
      { path: `/execution/${pending}`, status: 409 },
    ],
    'post /api/v1/execution/{execution_id}/cancel': [
      { path: `/execution/${executing}/cancel`, status: 200 },
      { path: `/execution/${executing}/cancel`, status: 200 },
      { path: '/execution/x/cancel', status: 400 },
      { path: `/execution/${UNKNOWN_ID}/cancel`, status: 404 },
    ],
  };
}

function resultCalls({ query, wideQuery, completed, wide, failed, executing, pending }: Given): Calls {
  const read = (path: string, ofWide: string): Call[] => [
    { path, query: { limit: '1', offset: '1', filters: 'n >= 0', columns: 'n', sort_by: 'n desc' }, status: 200 },
    { path, query: { sample_count: '2', sample_seed: '7' }, status: 200 },
    { path, query: { download: 'numbers' }, status: 200 },
    { path, ifNoneMatch: '*', status: 304 },
    { path, query: { allow_partial_results: 'true', allows_partial_results: 'false' }, status: 200 },
    { path, query: { filters: 'NOT n' }, status: 400 },
    { path: ofWide, query: { limit: '1' }, status: 413 },
  ];
  const latest = (results: string): Call[] => [
    ...read(`/query/${query}/${results}`, `/query/${wideQuery}/${results}`),
    { path: `/query/${query}/${results}`, query: { 'params.word': 'a' }, status: 200 },
    { path: `/query/${query}/${results}`, query: { 'params.word': 'b' }, status: 404 },
    { path: `/query/${query}/${results}`, query: { 'params.other': 'b' }, status: 400 },
  ];
  const ofExecution = (results: string, unfinishedStatus: number): Call[] => [
    ...read(`/execution/${completed}/${results}`, `/execution/${wide}/${results}`),
    ...[failed, executing, pending].map((id) => ({ path: `/execution/${id}/${results}`, status: unfinishedStatus })),
    { path: `/execution/${completed}/${results}`, query: { wait_seconds: '60' }, status: 200 },
    { path: `/execution/${UNKNOWN_ID}/${results}`, status: 404 },
  ];
  const withNull = (path: string): Call => ({ path: `${path}/results/csv`, query: { csv_null: 'NULL' }, status: 200 });
  return {
    'get /api/v1/execution/{execution_id}/results': ofExecution('results', 200),
    'get /api/v1/execution/{execution_id}/results/csv': [
      ...ofExecution('results/csv', 409),
      withNull(`/execution/${completed}`),
    ],
    'get /api/v1/query/{query_id}/results': latest('results'),
    'get /api/v1/query/{query_id}/results/csv': [...latest('results/csv'), withNull(`/query/${query}`)],
  };
}

/** @param family the two path families have the same calls under names of their own. */
function tableCalls(
  { poorKey }: Given,
  { upload, create, table, list }: Record<'upload' | 'create' | 'table' | 'list', string>,
): Calls {
  const data = 'n,text\n1,a\n';
  const fields = { table_name: 'up', data };
  const reading = { delimiter: ';', column_names: 'normalize' };
  const aside = { table_name: 'up', description: 'Text.', is_private: 'false', ...reading };
  const form = Object.entries(fields).map(
    ([name, text]) => `--frontier\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  );
  const wish = { table_name: table, schema: [{ name: 'n', type: 'varchar', nullable: true }] };
  const csv = { contentType: 'text/csv', body: 'n\n1\n' };
  const [own, poor, unknown, linked] = [`ada/${table}`, `poor/${table}`, 'ada/unknown', 'ada/linked'].map(
    (place) => `/${table}/${place}`,
  );
  return {
    [`post /api/v1/${upload}`]: [
      { path: `/${upload}`, body: { ...fields, description: 'Text.', is_private: true }, status: 200 },
      { path: `/${upload}`, ...csv, query: aside, status: 200 },
      { path: `/${upload}`, body: { ...fields, data: '1;1\n5;6\n', ...reading }, status: 200 },
      {
        path: `/${upload}`,
        contentType: 'multipart/form-data; boundary=frontier',
        body: `${form.join('')}--frontier--\r\n`,
        status: 200,
      },
      { path: `/${upload}`, body: { ...fields, data: 'n\n1,2\n' }, status: 400 },
      { path: `/${upload}`, body: { ...fields, is_private: true }, key: poorKey, status: 402 },
      { path: `/${upload}`, body: { ...fields, table_name: 'linked' }, status: 409 },
      { path: `/${upload}`, bodyBytes: 300_000_000, status: 413 },
      { path: `/${upload}`, ...COMPRESSED, contentEncoding: 'br' },
    ],
    [`post /api/v1/${create}`]: [
      { path: `/${create}`, body: { ...wish, namespace: 'ada', description: '', is_private: false }, status: 200 },
      { path: `/${create}`, body: wish, key: poorKey, status: 200 },
      { path: `/${create}`, body: { ...wish, table_name: '1' }, status: 400 },
      { path: `/${create}`, body: { ...wish, is_private: true }, key: poorKey, status: 402 },
      { path: `/${create}`, body: { ...wish, namespace: 'demo' }, status: 404 },
      { path: `/${create}`, body: wish, status: 409 },
      { path: `/${create}`, bodyBytes: 2_000_000, status: 413 },
      { path: `/${create}`, body: TOO_LARGE, status: 413 },
      { path: `/${create}`, ...COMPRESSED },
    ],
    [`post /api/v1/${table}/{namespace}/{table}/insert`]: [
      { path: `${own}/insert`, ...csv, status: 200 },
      { path: `${own}/insert`, contentType: 'text/csv', body: '_n\n1\n', query: reading, status: 200 },
      { path: `${own}/insert`, contentType: 'application/x-ndjson', body: '{"n":"1"}\n', status: 200 },
      {
        path: `${own}/insert`,
        contentType: 'application/octet-stream',
        body: '{"n":"1"}\n',
        query: { format: 'ndjson' },
        status: 200,
      },
      { path: `${own}/insert`, contentType: 'text/csv', body: 'n\n1,2\n', status: 400 },
      { path: `${poor}/insert`, contentType: 'text/csv', body: MANY_ROWS, key: poorKey, status: 402 },
      { path: `${unknown}/insert`, ...csv, status: 404 },
      { path: `${linked}/insert`, ...csv, status: 409 },
      { path: `${own}/insert`, contentType: 'text/csv', bodyBytes: 1_300_000_000, status: 413 },
      { path: `${own}/insert`, ...csv, contentEncoding: 'br', status: 415 },
    ],
    [`post /api/v1/${table}/{namespace}/{table}/clear`]: [
      { path: `${own}/clear`, status: 200 },
      { path: `/${table}/ada/${MALFORMED}/clear`, status: 400 },
      { path: `${unknown}/clear`, status: 404 },
      { path: `${linked}/clear`, status: 409 },
    ],
    [`get /api/v1/${list}`]: listCalls(`/${list}`),
    [`delete /api/v1/${table}/{namespace}/{table}`]: [
      { path: own ?? '', status: 200 },
      { path: `/${table}/ada/${MALFORMED}`, status: 400 },
      { path: unknown ?? '', status: 404 },
      { path: linked ?? '', status: 409 },
    ],
  };
}

function listCalls(path: string): Call[] {
  return [
    { path, query: { limit: '1', offset: '0', scope: 'all', search: 'a' }, status: 200 },
    { path, query: { limit: 'x' }, status: 400 },
  ];
}
