import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import type { AuthenticatedRequest } from '../auth/api-key.guard.js';
import { Config } from '../config/config.js';
import { FairShare } from '../processes/pool/fair-share.js';
import { UploadsBusyError } from './uploads.errors.js';

/**
 * Bounds the uploads and inserts that are under way, as each stages its body on the disk. One
 * account uses at most half of the slots.
 */
@Injectable()
export class UploadSlots implements NestInterceptor {
  readonly #share = new FairShare(1);
  #used = 0;

  constructor(private readonly config: Config) {}

  /** @throws UploadsBusyError before any of the body is read. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { account } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!this.#share.mayTake(account.id, this.config.MAX_UPLOADS - this.#used)) throw new UploadsBusyError();
    this.#used += 1;
    this.#share.take(account.id);
    return next.handle().pipe(
      finalize(() => {
        this.#used -= 1;
        this.#share.release(account.id);
      }),
    );
  }
}
