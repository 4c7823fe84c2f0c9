import { AnswerText } from './answer-text.js';
import type { ResultsBody } from './dto/results.body.js';
import type { Page } from './page-reader.js';

/** What an envelope without rows has in their place. */
const NO_ROWS = '"rows":[';

/** Puts a page's rows into their envelope, as the engine wrote them: they are never parsed. */
export function jsonPageText(envelope: ResultsBody, { lines, header }: Page): AnswerText | string {
  const text = JSON.stringify(envelope);
  if (header.rowCount === 0) {
    lines.resume();
    return text;
  }
  const rowsOffset = text.indexOf(NO_ROWS) + NO_ROWS.length;
  // Each row is written after a comma; that of the first is left out.
  return new AnswerText(lines, { before: text.slice(0, rowsOffset), after: text.slice(rowsOffset), skipBytes: 1 });
}
