import type { Readable } from 'node:stream';
import type { ResultsBody } from './dto/results.body.js';
import type { Page } from './page-reader.js';
import { streamFrom } from './text-stream.js';

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
  return streamFrom(lines, async function* (chunks) {
    yield text.slice(0, place);
    let isFirst = true;
    for await (const chunk of chunks) {
      // Each row is written with a comma before it.
      yield isFirst ? chunk.subarray(1) : chunk;
      isFirst = false;
    }
    yield text.slice(place);
  });
}
