import { OperatorError } from '../config/operator-error.js';
import { DomainError } from '../http/domain-error.js';
import { ServiceCallError } from './service-client.js';

/** Ends a command that failed: a sentence for what its user can mend, the stack for everything else. Exit code 1. */
export function reportFailure(error: unknown): void {
  const isExpected = [DomainError, OperatorError, ServiceCallError].some((kind) => error instanceof kind);
  console.error(isExpected && error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
