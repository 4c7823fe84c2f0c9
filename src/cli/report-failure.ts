import { DataFolderInUseError } from '../catalog/catalog.errors.js';
import { DomainError } from '../common/domain-error.js';
import { ConfigError } from '../config/load-config.js';
import { ServiceCallError } from './service-client.js';

/** Ends a command that failed: a sentence for what its user can mend, the stack for everything else. Exit code 1. */
export function reportFailure(error: unknown): void {
  const isExpected = [ConfigError, DataFolderInUseError, DomainError, ServiceCallError].some(
    (kind) => error instanceof kind,
  );
  console.error(isExpected && error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
