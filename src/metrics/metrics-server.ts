import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import { toListenError } from '../http/listen-error.js';
import { Metrics } from './metrics.js';
import { observeRequests } from './observe-requests.js';
import type { ServiceGauges } from './service-gauges.js';

/** Prometheus needs one; more are closed without an answer. */
const MAX_CONNECTIONS = 50;

/** Where metrics are served. */
type MetricsAddress = Pick<Config, 'METRICS_HOST'> & { readonly METRICS_PORT: number };

/** Serves `/metrics` on a port of its own, without a key. */
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #metrics = new Metrics();
  #server: Server | undefined;

  /** @param fastify whose requests are measured; it must not listen yet. */
  constructor(
    private readonly config: MetricsAddress,
    gauges: ServiceGauges,
    fastify: FastifyInstance,
  ) {
    observeRequests(fastify, this.#metrics);
    gauges.addTo(this.#metrics);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { registry } = this.#metrics;
    this.#server = createServer(async ({ url, method }, response) => {
      const isKnown = url?.split('?')[0] === '/metrics' && (method === 'GET' || method === 'HEAD');
      if (!isKnown) return response.writeHead(404, { 'content-type': 'text/plain' }).end('GET /metrics\n');
      try {
        const text = await registry.metrics();
        response.writeHead(200, { 'content-type': registry.contentType }).end(text);
      } catch {
        response.writeHead(500, { 'content-type': 'text/plain' }).end('The metrics cannot be read now\n');
      }
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
    const { METRICS_PORT: port, METRICS_HOST: host } = this.config;
    try {
      await once(this.#server.listen(port, host), 'listening');
    } catch (error) {
      throw toListenError(error, { host, port, hostSetting: 'METRICS_HOST', portSetting: 'METRICS_PORT' });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    const server = this.#server;
    if (server) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    this.#metrics.close();
  }
}
