import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { MethodNotAllowedError } from './http/common.errors.js';
import { KnownRoutes } from './http/known-routes.js';

/** Every path below it needs a key. */
const WITH_KEY = '/api/v1/';

/**
 * Answers 405 where a path exists but not with the method of the request, after a check of the key.
 * For routes that are added after the call.
 */
export function refuseWrongMethods(app: NestFastifyApplication): void {
  const routes = new KnownRoutes();
  const guard = app.get(ApiKeyGuard);
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  fastify.addHook('onRoute', ({ url, method }) => routes.add(url, [method].flat()));
  fastify.addHook('onRequest', async (request) => {
    if (!request.is404) return;
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = routes.methodsOf(path);
    if (methods.length === 0) return;
    if (path.startsWith(WITH_KEY)) await guard.authenticate(request);
    throw new MethodNotAllowedError(request.method, methods);
  });
}
