import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../../src/app.js';
import type { Plan } from '../../src/auth/account.js';
import { AccountsService } from '../../src/auth/accounts.service.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import type { Scope } from '../../src/auth/scope.js';
import { Clock } from '../../src/config/clock.js';
import { loadConfig } from '../../src/config/load-config.js';
import { ExecutionEvents } from '../../src/executions/execution-events.js';
import { FirstStart } from '../../src/first-start/first-start.js';
import type { ApiDocument, HttpAnswer } from './api-document/api-document.js';
import { readApiDocument } from './api-document/read-api-document.js';

/** An answer, read to its end. */
export interface Answer<Body = any> {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed JSON body; undefined if it is none. */
  body: Body;
}

type Query = Record<string, string | number | boolean | string[] | undefined>;

const SETTINGS = {
  PORT: '0',
  LOG_LEVEL: 'silent',
  SAMPLE_DATA: 'false',
  WORKERS: '1',
  WORKER_MEMORY: '512MB',
  WORKER_THREADS: '2',
  READERS: '1',
  READER_MEMORY: '512MB',
  SHUTDOWN_GRACE: '100ms',
};

/** The real application on a free port, in a data folder of its own, with an account `demo` and its key. */
export class TestServer {
  /** What services with these brands of headers tell of themselves, which nothing else changes. */
  private static readonly documents = new Map<string, Promise<ApiDocument>>();

  private constructor(
    readonly app: NestFastifyApplication,
    readonly url: string,
    readonly dataDir: string,
    readonly key: string,
    private readonly brands: string,
    private readonly ownsFolder: boolean,
  ) {}

  /**
   * @param settings on top of small defaults; `DATA_DIR` to start on an existing folder.
   * @param clock what the service is told when it asks for the time.
   */
  static async start(settings: Record<string, string> = {}, { clock }: { clock?: Clock } = {}): Promise<TestServer> {
    const dataDir = settings.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'eider-')));
    const app = await createApp(loadConfig({ ...SETTINGS, ...settings, DATA_DIR: dataDir }));
    if (clock) app.get(Clock).now = () => clock.now();
    await app.init();
    await app.get(FirstStart).prepare();
    const [account] = await app.get(AccountsService).list();
    if (!account) throw new Error('The first start made no account');
    const { text } = await app.get(ApiKeysService).create(account, { name: 'test', scope: 'admin' });
    await app.listen(0, '127.0.0.1');
    const url = (await app.getUrl()).replace('[::1]', '127.0.0.1');
    return new TestServer(app, url, dataDir, text, settings.HEADER_BRANDS ?? '', !settings.DATA_DIR);
  }

  async stop(): Promise<void> {
    await this.app.close();
    if (this.ownsFolder) await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Makes an account and gives its key. */
  async givenKey(
    handle: string,
    { plan = 'premium', scope = 'admin' }: { plan?: Plan; scope?: Scope } = {},
  ): Promise<string> {
    const accounts = this.app.get(AccountsService);
    const known = (await accounts.list()).find((account) => account.handle === handle);
    const account = known ?? (await accounts.create({ handle, type: 'user', plan }));
    return (await this.app.get(ApiKeysService).create(account, { name: 'test', scope })).text;
  }

  /** Saves a public query and gives its id. */
  async givenQuery(query_sql: string, more: object = {}, key = this.key): Promise<number> {
    const { body } = await this.post<{ query_id: number }>('/query', { name: 'a query', query_sql, ...more }, key);
    return body.query_id;
  }

  /** Runs SQL to its end and gives the execution's id. */
  async givenResult(sql: string, key = this.key): Promise<string> {
    const { body } = await this.post<{ execution_id: string }>('/sql/execute', { sql }, key);
    const ended = await this.untilEnded(body.execution_id, key);
    if (!ended.body.state.startsWith('QUERY_STATE_COMPLETED')) throw new Error(`The run ended as ${ended.text}`);
    return body.execution_id;
  }

  /** Runs a saved query to its end and gives the execution's id. */
  async givenExecution(queryId: number, body: object = {}, key = this.key): Promise<string> {
    const started = await this.post<{ execution_id: string }>(`/query/${queryId}/execute`, body, key);
    await this.untilEnded(started.body.execution_id, key);
    return started.body.execution_id;
  }

  /** Waits until an execution has ended and gives its status. */
  async untilEnded(executionId: string, key = this.key): Promise<Answer> {
    return this.untilStatus(executionId, (body) => body.is_execution_finished, key);
  }

  /** Waits until an execution's status is as wanted: looks again whenever one has begun or ended. */
  async untilStatus(executionId: string, isWanted: (body: any) => boolean, key = this.key): Promise<Answer> {
    for (;;) {
      const changed = this.nextChange();
      const status = await this.get(`/execution/${executionId}/status`, {}, key);
      if (status.status !== 200) throw new Error(`The status call answered ${status.text}`);
      if (isWanted(status.body)) return status;
      await changed;
    }
  }

  get<Body = any>(path: string, query: Query = {}, key = this.key): Promise<Answer<Body>> {
    return this.send('GET', path, { query, key });
  }

  post<Body = any>(path: string, body?: unknown, key = this.key): Promise<Answer<Body>> {
    return this.send('POST', path, { body: body === undefined ? undefined : JSON.stringify(body), key });
  }

  patch<Body = any>(path: string, body: unknown, key = this.key): Promise<Answer<Body>> {
    return this.send('PATCH', path, { body: JSON.stringify(body), key });
  }

  delete<Body = any>(path: string, key = this.key): Promise<Answer<Body>> {
    return this.send('DELETE', path, { key });
  }

  /** Sends any request; `key` is left out if it is empty. */
  async send<Body = any>(
    method: string,
    path: string,
    {
      query = {},
      key = this.key,
      headers = {},
      body,
    }: { query?: Query; key?: string; headers?: Record<string, string>; body?: RequestInit['body'] | undefined } = {},
  ): Promise<Answer<Body>> {
    const url = new URL(`${this.url}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) {
      for (const one of [value].flat()) if (one !== undefined) url.searchParams.append(name, String(one));
    }
    const response = await fetch(url, {
      method,
      headers: { ...(key && { 'x-service-api-key': key }), ...headers },
      body,
    });
    const { status, headers: answerHeaders } = response;
    const text = await response.text();
    await this.expectDocumented(method, url.pathname, { status, headers: answerHeaders, text });
    return { status, headers: answerHeaders, text, body: parseJson(text) as Body };
  }

  /** Every answer that a test gets is compared with what the OpenAPI document tells of it. */
  private async expectDocumented(method: string, path: string, answer: HttpAnswer): Promise<void> {
    let document = TestServer.documents.get(this.brands);
    if (!document) {
      document = readApiDocument(this.url, this.brands);
      TestServer.documents.set(this.brands, document);
    }
    const deviations = (await document).findAnswerDeviations(method, path, answer);
    if (deviations.length > 0) throw new Error(deviations.join('\n'));
  }

  private nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.app.get(ExecutionEvents).onChanged(() => {
        stop();
        resolve();
      });
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
