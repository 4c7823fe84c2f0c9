import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { type Observable, tap } from 'rxjs';
import { noteRequest } from '../http/logger.js';

/** Puts the execution that a call started, or is about, into its log line. */
@Injectable()
export class NoteExecution implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const named = (request.params as { execution_id?: string }).execution_id;
    return next
      .handle()
      .pipe(
        tap((body: { execution_id?: string }) => noteRequest(request.raw, { execution: body.execution_id ?? named })),
      );
  }
}
