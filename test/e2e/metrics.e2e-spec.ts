// Opens the standard output of the process when it is loaded, which must not look like a leak.
import '@opentelemetry/resources';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stopWithoutLeaks } from '../support/leaks.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';

/** A span as a collector receives it. */
interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number };
}

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('telemetry', () => {
  const spans: ReceivedSpan[] = [];
  let collector: Server;
  let server: TestServer;
  let metricsUrl: string;

  beforeAll(async () => {
    collector = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { resourceSpans } = JSON.parse(body);
      for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
      response.setHeader('connection', 'close').end('{}');
    }).listen(0, '127.0.0.1');
    // The server sends it the last spans while it stops.
    collector.unref();
    await new Promise((resolve) => collector.once('listening', resolve));
    const port = await freePort();
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    server = await TestServer.start({
      METRICS_PORT: String(port),
      TRACES_URL: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`,
    });
  });

  afterAll(async () => {
    await stopWithoutLeaks(server);
    collector.closeAllConnections();
    collector.close();
  });

  /** Lines of the metrics whose name and labels begin so, with their values. */
  async function metric(prefix: string): Promise<Record<string, number>> {
    const text = await (await fetch(metricsUrl)).text();
    const lines = text.split('\n').filter((line) => line.startsWith(prefix));
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
    );
  }

  it('counts requests by the pattern of their route', async () => {
    await server.get('/query/1');
    await server.get('/query/2');
    const counted = await metric(
      'eider_http_request_duration_seconds_count{method="GET",route="/api/v1/query/:query_id"',
    );
    expect(Object.values(counted).reduce((sum, count) => sum + count, 0)).toBe(2);
  });

  it('counts executions by state and error type, their waits and their processes', async () => {
    await server.givenResult('SELECT 1 AS n');
    await server.untilEnded(await server.givenExecution(await server.givenQuery("SELECT error('no')")));
    expect(await metric('eider_executions_ended_total')).toEqual({
      'eider_executions_ended_total{state="COMPLETED",error_type=""}': 1,
      'eider_executions_ended_total{state="FAILED",error_type="FAILED_TYPE_EXECUTION_FAILED"}': 1,
    });
    expect(await metric('eider_executions_submitted_total')).toEqual({
      'eider_executions_submitted_total{performance="medium"}': 2,
    });
    expect(await metric('eider_execution_queue_seconds_count')).toMatchObject({
      'eider_execution_queue_seconds_count{plan="premium"}': 2,
    });
    expect(Object.keys(await metric('eider_worker_slots'))).toEqual([
      'eider_worker_slots{state="used"}',
      'eider_worker_slots{state="free"}',
    ]);
    // A process can run both.
    expect(Object.values(await metric('eider_child_starts_total{kind="run"}'))[0]).toBeGreaterThanOrEqual(1);
  });

  it('reports stored bytes, the disk and the event loop', async () => {
    const stored = await metric('eider_stored_bytes{kind="results"}');
    expect(Object.values(stored)[0]).toBeGreaterThan(100);
    expect(await metric('eider_disk_bytes')).toEqual({
      'eider_disk_bytes{state="free"}': expect.any(Number),
      'eider_disk_bytes{state="total"}': expect.any(Number),
    });
    expect(await metric('nodejs_eventloop_lag_p99_seconds')).not.toEqual({});
  });

  it('serves nothing else on its port', async () => {
    expect((await fetch(new URL('/', metricsUrl))).status).toBe(404);
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(404);
  });

  it('traces an execution and its read below the requests', async () => {
    const traceId = 'a'.repeat(32);
    const headers = { 'x-service-api-key': server.key, traceparent: `00-${traceId}-${'b'.repeat(16)}-01` };
    const body = JSON.stringify({ sql: 'SELECT 2 AS n' });
    const started = await fetch(`${server.url}/api/v1/sql/execute`, { method: 'POST', headers, body });
    const { execution_id: id } = (await started.json()) as { execution_id: string };
    await server.untilEnded(id);
    await (await fetch(`${server.url}/api/v1/execution/${id}/results`, { headers })).text();
    await until(() => spans.some((span) => span.traceId === traceId && span.name === 'read'));
    const traced = spans.filter((span) => span.traceId === traceId);
    const byName = new Map(traced.map((span) => [span.name, span]));
    expect([...byName.keys()].sort()).toEqual([
      'GET /api/v1/execution/:execution_id/results',
      'POST /api/v1/sql/execute',
      'engine',
      'execution',
      'gate',
      'queue',
      'read',
      'write',
    ]);
    const parentOf = (name: string) => traced.find(({ spanId }) => spanId === byName.get(name)?.parentSpanId)?.name;
    expect(parentOf('execution')).toBe('POST /api/v1/sql/execute');
    for (const stage of ['queue', 'gate', 'engine', 'write']) expect(parentOf(stage)).toBe('execution');
    expect(parentOf('read')).toBe('GET /api/v1/execution/:execution_id/results');
    expect(JSON.stringify(traced)).not.toContain('SELECT');
  });
});
