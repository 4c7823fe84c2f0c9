import { MAX_STATEMENT_BYTES } from './statement-size.js';

/** The engine reads nested comments in quadratic time, and cannot be interrupted meanwhile. */
const MAX_COMMENT_OPENINGS = 64;

/**
 * Checks a statement before any parser, in linear time: returns why it cannot be run, or nothing.
 */
export function findLexicalIssue(text: string): string | undefined {
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
