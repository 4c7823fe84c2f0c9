import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { TooManyConnectionsError } from './common.errors.js';
import { isHealthPath } from './health-path.js';
import { rejectAndClose } from './reject-and-close.js';

/** Connections above the limit whose request is rejected in words; more are closed at once. */
const REJECTED_AT_ONCE = 100;
/** How long such a connection may take for its request. */
const MAX_WAIT_MS = 5_000;

/**
 * Bounds the connections of a server. At the limit it closes those that are kept open without a
 * request; if that makes no room, a request on a new connection is answered 503, except for health.
 */
export function limitConnections(fastify: FastifyInstance, maxConnections: number): void {
  const { server } = fastify;
  const logger = new Logger('Connections');
  const excess = new Set<Socket>();
  let open = 0;
  let isReported = false;
  server.maxConnections = maxConnections + REJECTED_AT_ONCE;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
      excess.delete(socket);
      if (excess.size === 0) isReported = false;
    });
    if (open <= maxConnections) return;
    server.closeIdleConnections();
    excess.add(socket);
    socket.setTimeout(MAX_WAIT_MS, () => socket.destroy());
  });
  fastify.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    if (!excess.has(socket)) return;
    if (open <= maxConnections) {
      excess.delete(socket);
      socket.setTimeout(0);
      return;
    }
    if (isHealthPath(request.url)) return void reply.header('connection', 'close');
    if (!isReported) logger.warn({ max_connections: maxConnections }, 'Connections are rejected: MAX_CONNECTIONS');
    isReported = true;
    await rejectAndClose(request, reply, new TooManyConnectionsError());
  });
}
