import { describe, expect, it } from '@jest/globals';
import { findLexicalIssue } from './lexical-check.js';
import { MAX_STATEMENT_BYTES } from './statement-size.js';

describe('findLexicalIssue', () => {
  it.each([
    ['a lone surrogate', "select '\ud800'", 'not valid Unicode'],
    ['a NUL', 'select 1\0; drop', 'NUL'],
    ['too much text', `select '${'ü'.repeat(MAX_STATEMENT_BYTES / 2)}'`, 'larger than the limit'],
    ['nested comments', `select 1 ${'/*'.repeat(65)}`, 'comments'],
  ])('refuses %s', (_, text, reason) => {
    expect(findLexicalIssue(text)).toContain(reason);
  });

  it.each([
    ['text of any language', 'select \'ü 🦆\' as "列"'],
    ['exactly the largest statement', `select '${'x'.repeat(MAX_STATEMENT_BYTES - 9)}'`],
    ['a few comments', `select 1 ${'/* */'.repeat(64)}`],
    ['empty text, which is for the parser to refuse', ''],
  ])('lets through %s', (_, text) => {
    expect(findLexicalIssue(text)).toBeUndefined();
  });
});
