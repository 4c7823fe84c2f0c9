import { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { UploadBody } from './ingest/stage-upload-body.js';

/** A request whose body is data, unread. */
export interface UploadRequest extends UploadBody {
  /** Aborts when the caller goes away: nobody waits for the answer then. */
  readonly signal: AbortSignal;
}

/** Gives a controller method the request as data that has yet to be read. */
export const UploadedData = createParamDecorator((_data: unknown, context: ExecutionContext): UploadRequest => {
  const http = context.switchToHttp();
  const { body, headers, query } = http.getRequest<FastifyRequest>();
  return {
    stream: body instanceof Readable ? body : Readable.from([]),
    contentType: headers['content-type'],
    query: query as Record<string, unknown>,
    signal: abortedWithout(http.getResponse<FastifyReply>()),
  };
});

function abortedWithout({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new Error('The caller has gone away'));
  });
  return controller.signal;
}
