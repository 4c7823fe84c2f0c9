import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DomainError } from './domain-error.js';
import { toErrorReply } from './error.filter.js';
import { hasBody } from './has-body.js';

/** How long a client has to send the rest of its body. */
const LINGER_MS = 5_000;

/**
 * Answers a request with an error and ends its connection. Where a body is under way, the
 * connection ends after it, as a client that is still sending would lose the answer.
 *
 * @throws the error, if the request has no body.
 */
export async function rejectAndClose(
  { id, raw: request }: FastifyRequest,
  reply: FastifyReply,
  error: DomainError,
): Promise<void> {
  reply.header('connection', 'close');
  if (!hasBody(request)) throw error;
  const { status, body, headers } = toErrorReply(error, id);
  const text = JSON.stringify(body);
  reply.hijack();
  const response = reply.raw.writeHead(status, {
    ...(reply.getHeaders() as Record<string, string>),
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.write(text);
  request.resume();
  const timer = setTimeout(() => response.end(), LINGER_MS).unref();
  request.once('end', () => response.end());
  response.once('close', () => clearTimeout(timer));
}
