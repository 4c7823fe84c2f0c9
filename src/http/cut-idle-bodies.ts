import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { hasBody } from './has-body.js';
import { refuseConnection } from './refuse-connection.js';

/** Checks within the limit whether a client sends bytes. */
const CHECKS = 4;

/**
 * Ends the connection of a request once its client has sent no byte of the body for `idleMs`: with
 * a 408 if it is not answered yet. A client that sends slowly has all the time that it needs, and
 * so has the service, while bytes wait for it.
 */
export function cutIdleBodies(fastify: FastifyInstance, idleMs: number): void {
  fastify.addHook('onRequest', async ({ raw }, reply) => {
    if (hasBody(raw)) cutIdleBody(raw, reply.raw, idleMs);
  });
}

function cutIdleBody(request: IncomingMessage, response: ServerResponse, idleMs: number): void {
  const { socket } = request;
  let lastRead = -1;
  let idleChecks = 0;
  const check = () => {
    if (request.complete || socket.destroyed) return;
    const isIdle = socket.bytesRead === lastRead && request.readableLength === 0;
    lastRead = socket.bytesRead;
    idleChecks = isIdle ? idleChecks + 1 : 0;
    if (idleChecks < CHECKS) timer.refresh();
    else if (response.headersSent) socket.destroy();
    else refuseConnection({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket);
  };
  const timer = setTimeout(check, idleMs / CHECKS).unref();
  request.once('close', () => clearTimeout(timer));
}
