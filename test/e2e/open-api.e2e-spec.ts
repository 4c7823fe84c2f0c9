import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountsService } from '../../src/auth/accounts.service.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { RateLimiter } from '../../src/auth/rate-limiter.js';
import { Catalog } from '../../src/catalog/catalog.js';
import { createCliContext } from '../../src/cli/cli-context.js';
import { Config } from '../../src/config/config.js';
import { ApiDocument, type Operation } from '../support/api-document/api-document.js';
import { type Call, type Calls, exampleCalls, type Given } from '../support/api-document/example-calls.js';
import { stopWithoutLeaks } from '../support/leaks.js';
import { sendRaw } from '../support/raw-request.js';
import { TestServer } from '../support/server.js';
import { SetClock } from '../support/set-clock.js';
import { ENDLESS } from '../support/wire.js';

const CALLS_PER_MINUTE = 1_000;
/** Failures of the service itself: other tests bring them about. */
const SERVICE_FAILURES = [500, 503, 507];
/**
 * Other tests make a service that is not ready.
 *
 * A table can be cleared wherever it could be made, unless the operator has given uploads less
 * memory meanwhile.
 */
const UNREACHED: Readonly<Record<string, number[]>> = {
  'post /api/v1/table/{namespace}/{table}/clear': [413],
  'post /api/v1/uploads/{namespace}/{table}/clear': [413],
  'get /health/ready': [503],
};

describe('GET /api/openapi.json', () => {
  /** No bucket of calls fills up again. */
  const clock = new SetClock(new Date());
  let text: string;
  let folder: string;
  let server: TestServer;
  let key: string;
  let document: ApiDocument;
  let calls: Calls;
  const deviations: string[] = [];
  /** What was answered, and which parameters were taken, by the name of the operation. */
  const statuses = new Map<string, Set<number>>();
  const parameters = new Map<string, Set<string>>();

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'eider-linked-')));
    const limits = { READS_PER_MINUTE: String(CALLS_PER_MINUTE), WRITES_PER_MINUTE: String(CALLS_PER_MINUTE) };
    const settings = {
      WORKERS: '1',
      HEADER_BRANDS: 'service,acme',
      MAX_PAGE_BYTES: '10000',
      LINK_ROOTS: folder,
      RESULT_STORAGE_FREE: '1B',
    };
    server = await TestServer.start({ ...settings, ...limits }, { clock });
    key = await server.givenKey('ada');
    text = await (await fetch(`${server.url}/api/openapi.json`)).text();
    document = new ApiDocument(JSON.parse(text));
    calls = withKeys(
      exampleCalls(await given()),
      await server.givenKey('ada', { scope: 'read' }),
      await givenSpentKey(),
    );
    for (const [name, ofName] of Object.entries(calls)) for (const call of ofName) await ask(name, call);
  });
  afterAll(async () => {
    await stopWithoutLeaks(server);
    await rm(folder, { recursive: true });
  });

  async function given(): Promise<Given> {
    const start = async (sql: string) => (await server.post('/sql/execute', { sql }, key)).body.execution_id;
    const query = await server.givenQuery("SELECT '{{word}}' AS word, range AS n FROM range(3)", {}, key);
    const wideQuery = await server.givenQuery("SELECT repeat('x', 20000) AS text", {}, key);
    await server.givenExecution(query, { query_parameters: { word: 'a' } }, key);
    const wide = await server.givenExecution(wideQuery, {}, key);
    const fullKey = await server.givenKey('full', { plan: 'free' });
    const foreign = await server.givenExecution(query, { query_parameters: { word: 'a' } }, fullKey);
    const completed = await server.givenResult('SELECT range AS n, NULL AS nothing FROM range(3)', key);
    const failed = await start('SELECT nothing');
    await server.untilEnded(failed, key);
    const executing = await start(ENDLESS);
    await server.untilStatus(executing, ({ state }) => state === 'QUERY_STATE_EXECUTING', key);
    const pending = await start('SELECT 1');
    await givenLinkedTable();
    const poorKey = await server.givenKey('poor', { plan: 'free' });
    return { poorKey, fullKey, foreign, query, wideQuery, completed, wide, failed, executing, pending };
  }

  async function givenLinkedTable(): Promise<void> {
    const pattern = join(folder, 'linked.csv');
    await writeFile(pattern, 'n\n1\n');
    const { links } = createCliContext(server.app.get(Catalog), clock, server.app.get(Config));
    const account = await server.app.get(AccountsService).getByHandle('ada');
    await links.link(account, { name: 'linked', pattern, isPrivate: false });
  }

  /** A key that has spent all that it may ask for in a minute. */
  async function givenSpentKey(): Promise<string> {
    const account = await server.app.get(AccountsService).getByHandle('ada');
    const spent = await server.app.get(ApiKeysService).create(account, { name: 'spent', scope: 'admin' });
    const limiter = server.app.get(RateLimiter);
    for (let count = 0; count < CALLS_PER_MINUTE; count += 1) {
      limiter.spend(spent.key.id, 'reads');
      limiter.spend(spent.key.id, 'writes');
    }
    return spent.text;
  }

  /** Adds the calls that are refused for their key. */
  function withKeys(examples: Calls, readKey: string, spentKey: string): Calls {
    const withRefusals = ([name, ofName]: [string, readonly Call[]]): [string, Call[]] => {
      const path = ofName[0]?.path ?? '';
      const refusals = [
        { path, key: 'bad', status: 401 },
        { path, key: spentKey, status: 429 },
        ...(name.startsWith('get ') ? [] : [{ path, key: readKey, status: 403 }]),
      ];
      return [name, [...ofName, ...(name.startsWith('get /health/') ? [] : refusals)]];
    };
    return Object.fromEntries(Object.entries(examples).map(withRefusals));
  }

  async function ask(name: string, call: Call): Promise<void> {
    const method = name.split(' ', 1)[0]?.toUpperCase() ?? '';
    const query = new URLSearchParams(call.query);
    const url = new URL(`${name.includes(' /health/') ? '' : '/api/v1'}${call.path}?${query}`, server.url);
    const headers: Record<string, string> = { 'x-acme-api-key': call.key ?? key };
    if (call.contentType) headers['content-type'] = call.contentType;
    if (call.ifNoneMatch) headers['if-none-match'] = call.ifNoneMatch;
    if (call.contentEncoding) headers['content-encoding'] = call.contentEncoding;
    const body = typeof call.body === 'object' ? JSON.stringify(call.body) : call.body;
    const answer = call.bodyBytes
      ? await tellLength(method, url, { ...headers, 'content-length': String(call.bodyBytes) })
      : await read(await fetch(url, { method, headers, ...(body !== undefined && { body }) }));
    if (answer.status !== call.status) deviations.push(`${name}: ${answer.status}, not ${call.status}: ${answer.text}`);
    const sent = {
      query,
      ...(call.contentType && { contentType: call.contentType }),
      ...(body !== undefined && { body }),
    };
    deviations.push(...(await document.findDeviations(name, { ...sent, ...answer })));
    statuses.set(name, (statuses.get(name) ?? new Set()).add(answer.status));
    for (const parameter of answer.status === 200 ? query.keys() : [])
      if (!parameter.startsWith('params.')) parameters.set(name, (parameters.get(name) ?? new Set()).add(parameter));
  }

  async function read(response: Response): Promise<{ status: number; headers: Headers; text: string }> {
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Sends the head of a request alone. */
  async function tellLength(method: string, { pathname }: URL, headers: Record<string, string>) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const { status, head, text } = await sendRaw(server.url, [`${method} ${pathname} HTTP/1.1`, ...lines]);
    const fields = head.split('\r\n').slice(1);
    return { status, headers: new Headers(fields.map((line) => line.split(/: (.*)/, 2) as [string, string])), text };
  }

  it('refers only to schemas that it has', () => {
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, object> } };
    const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g)].map((match) => match[1] ?? '');
    expect(references).toContain('ParameterDto');
    expect(references.filter((name) => !(name in components.schemas))).toEqual([]);
  });

  it('tells ids, counts and sizes as integers', () => {
    const numbers = [...text.matchAll(/"(\w+)":\{(?:[^{}]*,)?"type":"number"/g)].map((match) => match[1]);
    expect([...new Set(numbers)]).toEqual(['progress_percentage']);
    const ids = [...document.operations.values()].flatMap(
      (call) => call.parameters?.filter(({ name }) => name === 'query_id') ?? [],
    );
    expect(new Set(ids.map(({ schema }) => schema?.type))).toEqual(new Set(['integer']));
  });

  it('tells the types of the parameters of results calls', () => {
    const { parameters: told = [] } = document.get('get /api/v1/query/{query_id}/results');
    const types = told.filter((parameter) => parameter.in === 'query').map(({ name, schema }) => [name, schema?.type]);
    expect(Object.fromEntries(types)).toEqual({
      limit: 'integer',
      offset: 'integer',
      filters: 'string',
      columns: 'string',
      sort_by: 'string',
      sample_count: 'integer',
      sample_seed: 'integer',
      download: 'string',
      allow_partial_results: 'boolean',
      allows_partial_results: 'boolean',
    });
  });

  it('has nothing that redocly would find fault with', async () => {
    const path = join(folder, 'openapi.json');
    await writeFile(path, text);
    const redocly = [resolve('node_modules/@redocly/cli/bin/cli.js'), 'lint', path, '--format=json'];
    // It would report that it was used.
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { stdout } = await promisify(execFile)(process.execPath, redocly, { env, cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
  });

  it('names every operation plainly, and no two alike', () => {
    const names = [...document.operations.values()].map(({ operationId = '' }) => operationId);
    expect(names.filter((name) => !/^[a-z]+([A-Z][a-z]+)+$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    for (const [path, prefix] of [
      ['table/{namespace}/{table}/insert', 'insertRows'],
      ['uploads/{namespace}/{table}/insert', 'uploadsInsertRows'],
    ]) {
      expect(document.get(`post /api/v1/${path}`).operationId).toBe(prefix);
    }
    expect(names).toEqual(expect.arrayContaining(['executeQuery', 'getExecutionStatus', 'getLatestResultsCsv']));
  });

  it('tells the bounds of ids and of lists, and where the service is', () => {
    const { servers, paths } = JSON.parse(text);
    expect(servers).toEqual([{ url: '/' }]);
    const schemas = (name: string) =>
      [...document.operations.values()].flatMap(({ parameters: all = [] }) =>
        all.filter((parameter) => parameter.name === name).map(({ schema }) => schema),
      );
    expect(schemas('execution_id').length).toBeGreaterThan(3);
    for (const schema of schemas('execution_id')) {
      expect('01K9Z3V7Q4M2W8R6T5Y1X0C9B8').toMatch(new RegExp(schema?.pattern ?? 'none'));
      expect('01K9Z3V7Q4M2W8R6T5Y1X0C9BU').not.toMatch(new RegExp(schema?.pattern ?? ''));
    }
    for (const schema of schemas('query_id'))
      expect(schema).toMatchObject({ type: 'integer', minimum: expect.any(Number) });
    for (const list of ['queries', 'executions', 'tables', 'uploads']) {
      const { parameters: all } = paths[`/api/v1/${list}`].get as Operation;
      for (const name of ['limit', 'offset'])
        expect(all?.find((one) => one.name === name)?.schema).toMatchObject({ maximum: Number.MAX_SAFE_INTEGER });
    }
  });

  it('tells every way to send the key', () => {
    const { components, security } = JSON.parse(text);
    expect(components.securitySchemes).toEqual({
      query: { type: 'apiKey', in: 'query', name: 'api_key' },
      service: { type: 'apiKey', in: 'header', name: 'X-SERVICE-API-KEY' },
      acme: { type: 'apiKey', in: 'header', name: 'X-ACME-API-KEY' },
    });
    expect(security).toEqual([{ service: [] }, { acme: [] }, { query: [] }]);
  });

  it('has pages for people', async () => {
    const answer = await fetch(`${server.url}/api/docs`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(await answer.text()).toContain('<title>Eider API</title>');
  });

  it('says of every call what it is for', () => {
    expect([...document.operations].filter(([, { summary }]) => !summary).map(([name]) => name)).toEqual([]);
  });

  it('tells the types of failed executions, and the state that is no result', () => {
    const { schemas } = JSON.parse(text).components;
    expect(schemas.FailureBody.properties.type.enum).toEqual([
      'FAILED_TYPE_EXECUTION_FAILED',
      'FAILED_TYPE_TIMEOUT',
      'FAILED_TYPE_OUT_OF_MEMORY',
      'FAILED_TYPE_RESULT_TOO_LARGE',
      'FAILED_TYPE_INTERNAL',
    ]);
    expect(schemas.NoResultDocument.required).toEqual(['error', 'code', 'state']);
  });

  it('describes the body of every failure', () => {
    const { schemas } = JSON.parse(text).components;
    for (const [name, { responses }] of document.operations) {
      for (const [status, { content }] of Object.entries(responses).filter(([one]) => Number(one) >= 400)) {
        const schema = schemas[content?.['application/json']?.schema.$ref?.split('/').at(-1) ?? ''];
        expect([name, status, schema?.required]).toEqual([name, status, expect.arrayContaining(['error', 'code'])]);
      }
    }
  });

  it('tells every call, and no other', () => {
    expect([...document.operations.keys()].sort()).toEqual(Object.keys(calls).sort());
  });

  it('tells what is asked and answered: statuses, parameters, headers and bodies', () => {
    expect(deviations).toEqual([]);
  });

  it('tells of every call the statuses that it answers, and no other', () => {
    const told = [...document.operations].map(([name, { responses }]) => [name, Object.keys(responses).map(Number)]);
    const answered = [...document.operations.keys()].map((name) => {
      // Any request can come without Host.
      const failures = name.startsWith('get /health/') ? [400, 500] : SERVICE_FAILURES;
      return [name, [...(statuses.get(name) ?? []), ...failures, ...(UNREACHED[name] ?? [])].sort((a, b) => a - b)];
    });
    expect(told).toEqual(answered);
  });

  it('tells of every call the parameters that it takes, and no other', () => {
    const told = [...document.operations].map(([name, operation]) => {
      const inQuery = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
      return [name, inQuery.map((parameter) => parameter.name).sort()];
    });
    const taken = [...document.operations.keys()].map((name) => [name, [...(parameters.get(name) ?? [])].sort()]);
    expect(told).toEqual(taken);
  });
});
