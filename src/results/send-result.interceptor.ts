import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { catchError, map, type Observable, of } from 'rxjs';
import { Config } from '../config/config.js';
import { ClientGoneError } from '../processes/read/reader.errors.js';
import { cutIdleClient } from './cut-idle-client.js';
import type { ResultAnswer } from './results.service.js';

/** Sends the bodies and paging headers of results calls, and cuts clients that accept nothing. */
@Injectable()
export class SendResult implements NestInterceptor<ResultAnswer> {
  constructor(private readonly config: Config) {}

  intercept(context: ExecutionContext, handler: CallHandler<ResultAnswer>): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return handler.handle().pipe(
      map(({ body, next }) => {
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
}
