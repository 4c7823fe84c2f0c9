import type { ContentIssue } from '../ingest-messages.js';

/** The content of an upload is refused. */
export class ContentError extends Error {
  constructor(readonly issue: ContentIssue) {
    super(issue.message);
  }
}

/** Files cannot be linked, for a reason that is a sentence of its own. */
export function unreadableFiles(message: string, details: ContentIssue['details'] = {}): ContentError {
  return new ContentError({ code: 'unreadable_files', message, details });
}

const MAX_EXCERPT_LENGTH = 60;
const MAX_NAME_LENGTH = 200;

/** The beginning of a name that is too long for a message, in whole characters. */
export function beginningOf(name: string): string {
  return Array.from(name.slice(0, 2 * MAX_NAME_LENGTH))
    .slice(0, MAX_NAME_LENGTH)
    .join('');
}

/** Part of an uploaded text as a message quotes it: short, and on one line. */
export function excerpt(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, Math.min(end, start + 4 * MAX_EXCERPT_LENGTH));
  const characters = Array.from(text.replaceAll(/\s/g, ' '));
  const isCut = end - start > 4 * MAX_EXCERPT_LENGTH || characters.length > MAX_EXCERPT_LENGTH;
  return isCut ? `${characters.slice(0, MAX_EXCERPT_LENGTH).join('')}…` : characters.join('');
}
