import { MAX_STATEMENT_BYTES } from './statement-size.js';

/** The engine reads nested comments in quadratic time and cannot be interrupted meanwhile. */
const MAX_COMMENT_OPENINGS = 64;

/**
 * Looks at a statement before any parser does, in time linear to its length: tells why it cannot be run, or nothing if
 * it may go on to the statement gate.
 */
export function lexicalFault(text: string): string | undefined {
  if (!text.isWellFormed()) return 'The statement is not valid Unicode text';
  // The engine stops reading at NUL: what follows would run unseen.
  if (text.includes('\0')) return 'The statement contains a NUL character';
  if (Buffer.byteLength(text) > MAX_STATEMENT_BYTES) {
    return `The statement is larger than the limit of ${MAX_STATEMENT_BYTES} bytes`;
  }
  if (text.split('/*').length - 1 > MAX_COMMENT_OPENINGS) {
    return `The statement opens more comments than the limit of ${MAX_COMMENT_OPENINGS}`;
  }
  return undefined;
}
