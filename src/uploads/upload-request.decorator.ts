import { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatSize } from '../config/units.js';
import { BodyTooLargeError } from '../http/common.errors.js';
import { isGzipEncoded } from '../http/request-body.js';
import { UploadInterruptedError } from '../processes/ingest/ingest.errors.js';
import type { UploadBody } from '../processes/ingest/stage-upload-body.js';

/** Largest CSV upload and largest insert (`docs/contract.md`, "Tables"). */
export const MAX_UPLOAD_BYTES = 200_000_000;
export const MAX_INSERT_BYTES = 1_200_000_000;

/** A request whose body is data, unread. */
export interface UploadRequest extends UploadBody {
  /** Size of the body, if the request has it in a header. */
  readonly sizeBytes?: number;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
}

/** Gives a controller method the request with its body unread. @throws EncodedBodyError */
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

/** Refuses a body whose size is known before any of it is read. @throws BodyTooLargeError */
export function refuseLargerBody({ sizeBytes = 0 }: UploadRequest, limitBytes: number): void {
  if (sizeBytes > limitBytes) throw new BodyTooLargeError(formatSize(limitBytes));
}

function abortedWithout({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new UploadInterruptedError());
  });
  return controller.signal;
}
