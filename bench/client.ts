import { Agent, type ClientRequest, get, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';

/** How an HTTP answer came. */
export interface Answer {
  readonly firstByteMs: number;
  readonly elapsedMs: number;
  readonly sizeBytes: number;
  readonly text: string;
}

/** A client of the service with the API key of one account. */
export class BenchClient {
  protected readonly agent = new Agent({ keepAlive: true });

  /**
   * @param timeoutMs after which a request fails that has not been answered whole; never, without
   *   it.
   */
  constructor(
    readonly url: string,
    private readonly key: string,
    private readonly timeoutMs?: number,
  ) {}

  /** Closes the connections. */
  close(): void {
    this.agent.destroy();
  }

  /** Reads a path below `/api/v1`; the text is kept only if it is asked for. */
  get(path: string, { isTextKept = false } = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const begunAt = performance.now();
      get(`${this.url}/api/v1${path}`, { agent: this.agent, ...this.options() }, (response) => {
        let firstByteMs = 0;
        let sizeBytes = 0;
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => {
          if (sizeBytes === 0) firstByteMs = performance.now() - begunAt;
          sizeBytes += chunk.length;
          if (isTextKept || response.statusCode !== 200) chunks.push(chunk);
        });
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode !== 200) reject(new Error(text));
          else resolve({ firstByteMs, elapsedMs: performance.now() - begunAt, sizeBytes, text });
        });
      }).on('error', reject);
    });
  }

  /**
   * Asks for a path on a connection of its own, and reads nothing of the answer until the request
   * is destroyed; of an answer other than 200 everything.
   *
   * @param onClosed called once the connection is closed, by either side.
   */
  openUnread(path: string, onClosed: () => void): ClientRequest {
    const headers = { 'x-service-api-key': this.key };
    const sent = get(`${this.url}/api/v1${path}`, { agent: false, headers }, (response) => {
      response.on('error', () => {});
      if (response.statusCode !== 200) response.resume();
    });
    return sent.on('error', () => {}).on('close', onClosed);
  }

  /** Sends a body to a path below `/api/v1` and gives the parsed reply. */
  post<Body>(path: string, body: string | NodeJS.ReadableStream, contentType = 'application/json'): Promise<Body> {
    return new Promise((resolve, reject) => {
      const { headers, ...options } = this.options();
      const sent = request(
        `${this.url}/api/v1${path}`,
        { method: 'POST', agent: this.agent, headers: { ...headers, 'content-type': contentType }, ...options },
        async (response) => {
          let text = '';
          for await (const chunk of response) text += chunk;
          if (response.statusCode === 200) resolve(JSON.parse(text) as Body);
          else reject(new Error(text));
        },
      ).on('error', reject);
      if (typeof body === 'string') sent.end(body);
      else body.pipe(sent);
    });
  }

  /** Starts SQL and gives the id of the execution. */
  async execute(sql: string, performance = 'medium'): Promise<string> {
    const body = JSON.stringify({ sql, performance });
    return (await this.post<{ execution_id: string }>('/sql/execute', body)).execution_id;
  }

  /** Cancels an execution; does nothing if it has ended. */
  async cancel(executionId: string): Promise<void> {
    await this.post(`/execution/${executionId}/cancel`, '');
  }

  /**
   * Runs SQL until its execution has completed; asks for the status every `pollMs`, but not before
   * `quietMs`: each time costs some 0.9 ms of processor time, here and in the server, that the run
   * lacks.
   */
  async run(sql: string, pollMs = 4, quietMs = 0): Promise<{ executionId: string; elapsedMs: number }> {
    const begunAt = performance.now();
    const executionId = await this.execute(sql);
    await setTimeout(quietMs);
    await this.untilCompleted(executionId, pollMs);
    return { executionId, elapsedMs: performance.now() - begunAt };
  }

  /** Waits until an execution has completed. */
  async untilCompleted(executionId: string, pollMs: number): Promise<void> {
    const endsAt = performance.now() + (this.timeoutMs ?? Number.POSITIVE_INFINITY);
    while (performance.now() < endsAt) {
      const { text } = await this.get(`/execution/${executionId}/status`, { isTextKept: true });
      const { state } = JSON.parse(text) as { state: string };
      if (state === 'QUERY_STATE_COMPLETED') return;
      if (!/PENDING|EXECUTING/.test(state)) throw new Error(text);
      await setTimeout(pollMs);
    }
    await this.cancel(executionId);
    throw new Error(`The execution did not complete within ${this.timeoutMs} ms`);
  }

  private options() {
    const headers: Record<string, string> = { 'x-service-api-key': this.key };
    return this.timeoutMs === undefined ? { headers } : { headers, signal: AbortSignal.timeout(this.timeoutMs) };
  }
}
