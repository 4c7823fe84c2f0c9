import type { Readable } from 'node:stream';
import type { ResultsBody } from './dto/results.body.js';
import type { Page } from './page-reader.js';
import { TextStream } from './text-stream.js';

/** Where the rows go in an envelope that was printed with no rows. */
const ROWS_PLACE = '"rows":[';

/** Puts a page's rows into their envelope, as the engine wrote them: they are never parsed. */
export function jsonPageText(envelope: ResultsBody, { lines, leader }: Page): Readable | string {
  const text = JSON.stringify(envelope);
  if (leader.rowCount === 0) {
    lines.resume();
    return text;
  }
  const place = text.indexOf(ROWS_PLACE) + ROWS_PLACE.length;
  // Each row is written with a comma before it; the first one's is left out.
  return new TextStream(lines, { before: text.slice(0, place), after: text.slice(place), skipBytes: 1 });
}
