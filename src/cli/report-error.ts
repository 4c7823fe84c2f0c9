import { OperatorError } from '../config/operator-error.js';
import { DomainError } from '../http/domain-error.js';
import { describeDiskError } from './describe-disk-error.js';

/** Ends a command with code 1: a sentence for what its user can mend, else the stack. */
export function reportError(error: unknown): void {
  const isExpected = [DomainError, OperatorError].some((kind) => error instanceof kind);
  console.error(isExpected && error instanceof Error ? error.message : (describeDiskError(error) ?? error));
  process.exitCode = 1;
}
