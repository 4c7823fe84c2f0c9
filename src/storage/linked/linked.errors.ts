import { DomainError } from '../../http/domain-error.js';

/** Files of the server cannot be linked as a table. */
export class LinkRefusedError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'link_refused';

  constructor(reason: string) {
    super(`The files cannot be linked: ${reason}`);
  }
}
