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

/** Calls a service as the account of a key. */
export abstract class ApiClient {
  /** How services with these brands of headers describe themselves, which nothing else changes. */
  private static readonly documents = new Map<string, Promise<ApiDocument>>();

  protected constructor(
    readonly url: string,
    readonly key: string,
    private readonly brands = '',
  ) {}

  /** Listens until an execution has begun or ended; the returned function waits for that. */
  protected abstract listenForChange(): Promise<() => Promise<unknown>>;

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

  /**
   * Waits until an execution's status is as wanted: looks again whenever one has begun or ended.
   */
  async untilStatus(executionId: string, isWanted: (body: any) => boolean, key = this.key): Promise<Answer> {
    for (;;) {
      const changed = await this.listenForChange();
      const status = await this.get(`/execution/${executionId}/status`, {}, key);
      if (status.status !== 200) throw new Error(`The status call answered ${status.text}`);
      if (isWanted(status.body)) return status;
      await changed();
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

  /** Every answer that a test gets is compared with what the OpenAPI document has of it. */
  private async expectDocumented(method: string, path: string, answer: HttpAnswer): Promise<void> {
    let document = ApiClient.documents.get(this.brands);
    if (!document) {
      document = readApiDocument(this.url, this.brands);
      ApiClient.documents.set(this.brands, document);
    }
    const deviations = (await document).findAnswerDeviations(method, path, answer);
    if (deviations.length > 0) throw new Error(deviations.join('\n'));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
