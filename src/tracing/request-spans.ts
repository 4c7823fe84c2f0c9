import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, type Span, SpanKind, TraceFlags, type Tracer, trace } from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import { subscribe } from '../telemetry/events.js';

/** `traceparent`: version, trace, span and flags (W3C Trace Context, section 3.2). */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** The spans of requests, and in them those of reads. */
export class RequestSpans {
  readonly #current = new AsyncLocalStorage<Span>();
  readonly #unsubscribe: () => void;

  constructor(private readonly tracer: Tracer) {
    this.#unsubscribe = subscribe('read-ended', ({ kind, elapsedMs }) => {
      const request = this.current();
      if (!request) return;
      const now = Date.now();
      const options = { startTime: now - elapsedMs, attributes: { 'eider.read': kind } };
      tracer.startSpan('read', options, trace.setSpan(ROOT_CONTEXT, request)).end(now);
    });
  }

  /** The span of the request under way. */
  current(): Span | undefined {
    return this.#current.getStore();
  }

  /** Spans every request; its parent is what `traceparent` names. */
  observe(fastify: FastifyInstance): void {
    const spans = new WeakMap<object, Span>();
    fastify.addHook('onRequest', (request, _reply, done) => {
      const { traceparent } = request.headers;
      const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': request.method } };
      const span = this.tracer.startSpan(request.method, options, contextOf(String(traceparent ?? '')));
      spans.set(request, span);
      this.#current.run(span, done);
    });
    fastify.addHook('onResponse', async (request, reply) => {
      const span = spans.get(request);
      const route = request.routeOptions.url ?? 'none';
      span?.updateName(`${request.method} ${route}`);
      span?.setAttributes({ 'http.route': route, 'http.response.status_code': reply.statusCode });
      span?.end();
    });
  }

  close(): void {
    this.#unsubscribe();
  }
}

function contextOf(traceparent: string): Context {
  const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
