import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuthenticatedRequest } from '../auth/api-key.guard.js';
import type { ReadingClient } from '../processes/read/reading-client.js';

/**
 * The client of a results call. It is gone once its connection is closed before the answer has gone
 * out.
 */
export function toReadingClient(request: FastifyRequest, reply: FastifyReply): ReadingClient {
  const { account } = request as AuthenticatedRequest;
  const gone = new AbortController();
  // The connection, not the answer: one that waits behind another on the same connection does not
  // hear of its end.
  const { socket } = request.raw;
  const onClose = () => gone.abort();
  socket.once('close', onClose);
  reply.raw.once('close', () => socket.off('close', onClose));
  if (socket.destroyed) onClose();
  return { accountId: account.id, gone: gone.signal };
}
