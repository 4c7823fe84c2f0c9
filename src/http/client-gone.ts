import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Aborted if the client's connection is closed before the answer is complete. */
export function signalOfClientGone(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // The connection, not the response: one that waits behind another on the same connection is not
  // notified of its end.
  const { socket } = request.raw;
  const onClose = () => gone.abort();
  socket.once('close', onClose);
  reply.raw.once('close', () => socket.off('close', onClose));
  if (socket.destroyed) onClose();
  return gone.signal;
}

/** Gives a controller method the signal of {@link signalOfClientGone}. */
export const ClientGone = createParamDecorator((_data: unknown, context: ExecutionContext): AbortSignal => {
  const http = context.switchToHttp();
  return signalOfClientGone(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
});
