import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ulid } from 'ulid';
import type { Config } from '../config/config.js';
import { toErrorReply } from './error.filter.js';

/** Longest path parameter: an id of any kind, with room for a clear error. */
const MAX_PARAM_LENGTH = 512;

/**
 * The HTTP side of the ground rules (`interface.md`, section 1): a trailing slash means the same path, forwarded headers count only from
 * trusted proxies, a body reaches the controllers unread, and even a malformed URL is answered with the one error body.
 */
export function createHttpAdapter(config: Config): FastifyAdapter {
  const adapter = new FastifyAdapter({
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    genReqId: () => ulid(),
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    bodyLimit: Number.MAX_SAFE_INTEGER,
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const { status, body } = toErrorReply(error, String(request.id));
      void reply.status(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
    clientErrorHandler: (_error, socket) => {
      const body = JSON.stringify({ error: 'The request is malformed', code: 'malformed_request' });
      const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`;
      if (socket.writable) socket.end(head + body);
      else socket.destroy();
    },
  });
  passBodiesUnread(adapter.getInstance());
  return adapter;
}

/** Leaves every body a stream: small ones are read by the request pipe, large ones by the feature that stores them. */
function passBodiesUnread(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  // A body that nobody read (a refused call) must not hold the connection up.
  fastify.addHook('onResponse', async (request) => {
    if (!request.raw.readableEnded) request.raw.resume();
  });
}
