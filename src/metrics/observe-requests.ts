import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.js';

/**
 * Measures each request. What no route takes is one label, so that clients cannot make new
 * ones.
 */
export function observeRequests(fastify: FastifyInstance, metrics: Metrics): void {
  fastify.addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
    metrics.observeRequest(method, routeOptions.url ?? 'none', statusCode, elapsedTime);
  });
}
