import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { catchError, map, type Observable, of } from 'rxjs';
import { Clock } from '../config/clock.js';
import { Config } from '../config/config.js';
import { ClientGoneError } from '../processes/read/reader.errors.js';
import { contentDisposition } from './content-disposition.js';
import { cutIdleClient } from './cut-idle-client.js';
import type { ResultAnswer } from './results.service.js';

/** Sends the bodies and paging headers of results calls, and cuts clients that accept nothing. */
@Injectable()
export class SendResult implements NestInterceptor<ResultAnswer> {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  intercept(context: ExecutionContext, handler: CallHandler<ResultAnswer>): Observable<unknown> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    return handler.handle().pipe(
      map(({ body, next, isLarge, identity }) => {
        const { download } = request.query as { download?: string };
        if (download !== undefined)
          void reply.header('content-disposition', contentDisposition(download, extensionOf(reply)));
        this.allowCaching(reply, identity);
        void reply.header('vary', [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', '));
        // How the compression is asked to leave an answer as it is.
        if (isLarge && this.config.COMPRESS_DOWNLOADS === 'zstd' && !acceptsZstd(request))
          request.headers['x-no-compression'] = 'large';
        for (const brand of next ? this.config.HEADER_BRANDS : []) {
          void reply.header(`x-${brand.toLowerCase()}-next-offset`, String(next?.offset));
          void reply.header(`x-${brand.toLowerCase()}-next-uri`, next?.uri);
        }
        if (typeof body === 'string') return body;
        cutIdleClient(reply.raw, this.config.READ_IDLE_TIMEOUT);
        return new StreamableFile(body);
      }),
      catchError((error: unknown) => {
        // Nothing that is sent now arrives.
        if (error instanceof ClientGoneError) return of(undefined);
        throw error;
      }),
    );
  }

  /** An execution's result stays the same; which one is the latest does not. */
  private allowCaching(reply: FastifyReply, identity: ResultAnswer['identity']): void {
    const isLatest = reply.hasHeader('cache-control');
    if (identity) void reply.header('etag', identity.tag);
    if (isLatest) return;
    const seconds = identity && Math.floor((identity.expiresAt.getTime() - this.clock.now().getTime()) / 1000);
    void reply.header('cache-control', seconds ? `private, max-age=${seconds}, immutable` : 'no-cache');
  }
}

function extensionOf(reply: FastifyReply): string {
  return String(reply.getHeader('content-type')).startsWith('text/csv') ? '.csv' : '.json';
}

function acceptsZstd(request: FastifyRequest): boolean {
  return /\bzstd\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(String(request.headers['accept-encoding']));
}
