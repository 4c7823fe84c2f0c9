import type { ResultsBody } from '../results/dto/results.body.js';

const NEWLINE = 0x0a;
const COMMA = 0x2c;
/** What stands before the first row of a page, and after the last. */
const ROWS_BEGIN = '"rows":[';
const ROWS_END = ']}}';

/**
 * Takes the rows out of a page of results as the service wrote them: each on a line, all but the
 * first with a comma before it. Parsed and written again, numbers would lose their form and columns
 * their order.
 *
 * @returns where the next page begins, if there is one.
 */
export async function* pageRows(text: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, number | undefined> {
  const lines = linesOf(text);
  const { value: first = Buffer.alloc(0) } = await lines.next();
  const begin = first.indexOf(ROWS_BEGIN) + ROWS_BEGIN.length;
  const envelope = JSON.parse(`${first.toString('utf8', 0, begin)}${ROWS_END}`) as ResultsBody;
  let row = first.subarray(begin);
  while (row.toString('latin1', 0, ROWS_END.length) !== ROWS_END) {
    yield row;
    const { value: line } = await lines.next();
    if (!line) throw new Error('The rows of a page ended too early');
    row = line[0] === COMMA ? line.subarray(1) : line;
  }
  return envelope.next_offset;
}

/** Only a newline ends a line: texts may hold other characters that end lines elsewhere. */
async function* linesOf(text: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, undefined> {
  let chunks: Uint8Array[] = [];
  for await (const chunk of text) {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...chunks, chunk.subarray(from, to)]);
      chunks = [];
      from = to + 1;
    }
    chunks.push(chunk.subarray(from));
  }
  yield Buffer.concat(chunks);
  return undefined;
}
