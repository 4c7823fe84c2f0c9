import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AnswerText } from './answer-text.js';

/**
 * Sends the texts of answers that are not compressed with {@link sendText}. Registered after the
 * compression, and before the routes.
 */
export function sendPlainTexts(fastify: FastifyInstance): void {
  const onSend = (
    _request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    next: (error: null, payload: unknown) => void,
  ) => {
    if (!(payload instanceof AnswerText)) return next(null, payload);
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '');
    sendText(payload, reply.raw);
  };
  fastify.addHook('onRoute', (route) => {
    if (route.method === 'GET') route.onSend = [route.onSend ?? [], onSend].flat() as typeof route.onSend;
  });
}

/**
 * Sends a text as the body of a response, and reuses the memory of its rows: without this, a CSV
 * result of 125 MB takes the server more than twice the processor time. A buffer goes back to its
 * pool only after the callback of its write has run without an error: the socket has passed on
 * all its bytes then. This is the only place that returns buffers, and it reads the rows alone.
 */
export function sendText({ rows, envelope }: AnswerText, response: ServerResponse): void {
  let { skipBytes = 0 } = envelope;
  response.write(envelope.before);
  rows.on('data', (chunk: Buffer) => {
    const hasRoom = response.write(chunk.subarray(skipBytes), (error) => {
      if (!error) rows.recycle(chunk);
    });
    skipBytes = 0;
    if (!hasRoom) rows.pause();
  });
  response.on('drain', () => rows.resume());
  response.once('close', () => rows.destroy());
  // A text that ends early must not look whole: the connection is cut.
  finished(rows, (error) => (error ? response.destroy() : response.end(envelope.after)));
}
