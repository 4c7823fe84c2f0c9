import { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isGzipEncoded } from '../http/request-body.js';
import { UploadInterruptedError } from '../processes/ingest/ingest.errors.js';
import type { UploadBody } from '../processes/ingest/stage-upload-body.js';

/** A request whose body is data, unread. */
export interface UploadRequest extends UploadBody {
  /** Size of the body, if the caller tells it in advance. */
  readonly sizeBytes?: number;
  /** Aborts when the caller goes away: nobody waits for the answer then. */
  readonly signal: AbortSignal;
}

/** Gives a controller method the request as data that has yet to be read. @throws EncodedBodyError */
export const UploadedData = createParamDecorator((_data: unknown, context: ExecutionContext): UploadRequest => {
  const http = context.switchToHttp();
  const { body, headers, query } = http.getRequest<FastifyRequest>();
  return {
    stream: body instanceof Readable ? body : Readable.from([]),
    isGzip: isGzipEncoded(headers),
    contentType: headers['content-type'],
    sizeBytes: headers['content-length'] === undefined ? undefined : Number(headers['content-length']),
    query: query as Record<string, unknown>,
    signal: abortedWithout(http.getResponse<FastifyReply>()),
  };
});

function abortedWithout({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new UploadInterruptedError());
  });
  return controller.signal;
}
