import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What the compression adds to a tag: another text of the same content has another tag. */
const ENCODED = /-(?:br|gzip|zstd)(?=")/g;

/**
 * Answers 304 where the client has what the answer would be, by its `ETag` and the `If-None-Match`
 * of the request (RFC 9110, section 13.1.2), and gives a compressed answer a tag of its own.
 * Registered after the compression, and before the routes.
 */
export function answerConditionally(fastify: FastifyInstance): void {
  const onSend = (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    next: (error: null, payload: unknown) => void,
  ) => {
    const tag = reply.getHeader('etag');
    if (typeof tag !== 'string' || reply.statusCode !== 200) return next(null, payload);
    if (hasTag(request.headers['if-none-match'], tag)) {
      for (const name of ['content-type', 'content-length', 'content-encoding']) reply.removeHeader(name);
      void reply.code(304);
      return next(null, null);
    }
    const encoding = reply.getHeader('content-encoding');
    if (encoding) void reply.header('etag', tag.replace(/"$/, `-${encoding}"`));
    next(null, payload);
  };
  fastify.addHook('onRoute', (route) => {
    if (route.method === 'GET') route.onSend = [route.onSend ?? [], onSend].flat() as typeof route.onSend;
  });
}

/** Whether an `If-None-Match` names a tag, or any. */
export function hasTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch?.trim() === '*') return true;
  const known = ifNoneMatch?.replaceAll(ENCODED, '').match(/"[^"]*"/g);
  return known?.includes(tag) ?? false;
}
