import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ulid } from 'ulid';
import type { Config } from '../config/config.js';
import { limitConnections } from './connection-limit.js';
import { cutIdleBodies } from './cut-idle-bodies.js';
import { toErrorReply } from './error.filter.js';
import { refuseConnection } from './refuse-connection.js';

/** Request line and headers together: room for a filter of 16 kB, all of it escaped. */
const MAX_HEAD_BYTES = 128 * 1024;

/**
 * The HTTP side of the ground rules (`docs/contract.md`, "Ground rules"): a trailing slash means
 * the same path, forwarded headers count only from trusted proxies, a body reaches the controllers
 * unread, and even a malformed URL is answered with the one error body.
 */
export function createHttpAdapter(config: Config): FastifyAdapter {
  const adapter = new FastifyAdapter({
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_HEAD_BYTES },
    // Node refuses a request without Host without a body, so that it is refused here.
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      requireHostHeader: false,
      headersTimeout: config.REQUEST_IDLE_TIMEOUT,
      connectionsCheckingInterval: Math.min(config.REQUEST_IDLE_TIMEOUT / 2, 10_000),
    },
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    rewriteUrl: toOriginForm,
    // Ids of requests protect nothing; the system's randomness costs 2 microseconds a character.
    genReqId: () => ulid(undefined, Math.random),
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    // Fastify's own answer has another body, and passes every hook by.
    return503OnClosing: false,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const { status, body } = toErrorReply(error, String(request.id));
      void reply.status(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
    clientErrorHandler: refuseConnection,
  });
  limitConnections(adapter.getInstance(), config.MAX_CONNECTIONS);
  forbidSniffing(adapter.getInstance());
  refuseWithoutHost(adapter.getInstance());
  refuseTunnels(adapter.getInstance());
  refuseExpectations(adapter.getInstance());
  cutIdleBodies(adapter.getInstance(), config.REQUEST_IDLE_TIMEOUT);
  passBodiesUnread(adapter.getInstance());
  return adapter;
}

/**
 * The path and query string of a request line. One that also names scheme and host has the meaning
 * of the path alone, and its host replaces the header (RFC 9112, section 3.2.2).
 */
function toOriginForm(request: IncomingMessage): string {
  const [, host, target = ''] = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(request.url ?? '') ?? [];
  if (host === undefined) return request.url ?? '';
  request.headers.host = host;
  const url = target.startsWith('/') ? target : `/${target}`;
  Object.assign(request, { originalUrl: url });
  return url;
}

/** A browser never takes an answer for a page that is none by its Content-Type. */
function forbidSniffing(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
  });
}

/** A request names its host, once (RFC 9112, section 3.2); HTTP/1.0 leaves that to it. */
function refuseWithoutHost(fastify: FastifyInstance): void {
  const body = JSON.stringify({ error: 'The request must have one header Host', code: 'malformed_request' });
  fastify.addHook('onRequest', async ({ raw }, reply) => {
    const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
    if (hosts > 1 || (hosts === 0 && raw.httpVersion !== '1.0'))
      await reply.status(400).type('application/json; charset=utf-8').send(body);
  });
}

/** CONNECT asks for a tunnel, which is no call: Node would end the connection without an answer. */
function refuseTunnels({ server }: FastifyInstance): void {
  server.on('connect', (_request, socket: Socket) => refuseConnection({}, socket));
}

/** `type/subtype`, with or without parameters. */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** Expectations besides `100-continue` (RFC 9110, section 10.1.1): Node answers without a body. */
function refuseExpectations({ server }: FastifyInstance): void {
  const body = JSON.stringify({ error: 'Only 100-continue can be expected', code: 'expectation_failed' });
  server.on('checkExpectation', (_request, response) => {
    response
      .writeHead(417, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': body.length,
        connection: 'close',
      })
      .end(body);
  });
}

/** Leaves every body a stream, which the request pipe or a feature reads. */
function passBodiesUnread(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  // Fastify rejects a Content-Type that it cannot parse, but a body is read whatever its type is.
  fastify.addHook('onRequest', async ({ raw }) => {
    if (!MEDIA_TYPE.test(raw.headers['content-type'] ?? '')) delete raw.headers['content-type'];
  });
  // The unread body of a rejected call must not keep the connection busy.
  fastify.addHook('onResponse', async (request) => {
    if (!request.raw.readableEnded) request.raw.resume();
  });
}
