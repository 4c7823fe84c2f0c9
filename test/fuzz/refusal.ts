import { DomainError } from '../../src/http/domain-error.js';

/** An error for the sender of an input; any other is thrown again. */
export function toRefusal(error: unknown): DomainError {
  if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error;
  return error;
}

/** The shape of an error: its code, and its message without what it quotes of the input. */
export function shapeOf({ code, message }: DomainError): string {
  return `${code}: ${message.replace(/'[\s\S]*'|\d+/g, '…')}`;
}
