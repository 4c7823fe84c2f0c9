import type { OnApplicationShutdown } from '@nestjs/common';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { FastifyInstance } from 'fastify';
import { readVersion } from '../config/version.js';
import { traceExecutions } from './execution-spans.js';
import { RequestSpans } from './request-spans.js';

/**
 * Sends spans of requests and executions to an OpenTelemetry collector. Spans hold ids, routes,
 * states and times; never SQL, values, keys or names of accounts.
 */
export class Tracing implements OnApplicationShutdown {
  readonly #provider: TracerProvider;
  readonly #requests: RequestSpans;
  readonly #endExecutions: () => void;

  /**
   * @param url of the collector, for OTLP over HTTP.
   * @param fastify whose requests are spans; it must not listen yet.
   */
  constructor(url: string, fastify: FastifyInstance) {
    const resource = resourceFromAttributes({ 'service.name': 'eider', 'service.version': readVersion() });
    const spanProcessors = [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })];
    this.#provider = new TracerProvider({ resource, spanProcessors });
    const tracer = this.#provider.getTracer('eider');
    this.#requests = new RequestSpans(tracer);
    this.#requests.observe(fastify);
    this.#endExecutions = traceExecutions(tracer, () => this.#requests.current());
  }

  async onApplicationShutdown(): Promise<void> {
    this.#endExecutions();
    this.#requests.close();
    // A collector that cannot be reached must not keep the service from stopping.
    await this.#provider.shutdown().catch(() => {});
  }
}
