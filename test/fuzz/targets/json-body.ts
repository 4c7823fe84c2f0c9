import { deepStrictEqual } from 'node:assert';
import { isUtf8 } from 'node:buffer';
import { JsonBodyParser } from '../../../src/processes/ingest/json-body/json-body-parser.js';
import type { FuzzTarget } from '../fuzz.js';
import { cut } from '../mutate.js';
import { toRefusal } from '../refusal.js';

/** What the parser makes of chunks: fields and text, or the code of its error. */
function parse(chunks: readonly Buffer[]): { fields: Record<string, unknown>; data?: string } | string {
  const texts: Buffer[] = [];
  const parser = new JsonBodyParser((text) => texts.push(Buffer.from(text)));
  try {
    for (const chunk of chunks) parser.write(chunk);
    const fields = parser.end();
    return parser.hasData ? { fields, data: Buffer.concat(texts).toString('latin1') } : { fields };
  } catch (error) {
    return toRefusal(error).code;
  }
}

/** `JSON.parse` of the same bytes; undefined if it throws. */
function reference(input: Buffer): unknown {
  try {
    return JSON.parse(input.toString().replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/** The JSON object of an upload: the same in any chunks, and what `JSON.parse` makes of it. */
export const JSON_BODY: FuzzTarget = {
  name: 'json-body',
  runs: 4_000,
  seeds: [
    '{"table_name": "t", "data": "a,b\\n1,\\"\\u00e9 \\ud83d\\ude00\\"\\n", "is_private": true}',
    '\ufeff {"data":"", "n": -1.5e3, "nested": {"list": [null, "x", {}]}}',
    '{"description":null,"data":"\\\\\\/\\b\\f\\t\\r"}',
    '{}',
  ],
  words: ['"data":', '\\u', '\\ud83d', '\\ude00', '\\"', '\\n', '{', '}', '[', ']', 'null', 'true', '1e400', '\ufeff'],
  check(input, random) {
    const whole = parse([Buffer.from(input)]);
    deepStrictEqual(parse(cut(input, random)), whole);
    if (typeof whole === 'string') return whole;
    if (!isUtf8(input)) return 'not UTF-8';
    const isEmpty = /^\ufeff?[ \t\r\n]*$/.test(input.toString());
    const expected = isEmpty ? {} : reference(input);
    deepStrictEqual(expected instanceof Object, true);
    const { data, ...fields } = expected as Record<string, unknown>;
    deepStrictEqual(whole.fields, fields);
    deepStrictEqual(whole.data === undefined ? undefined : Buffer.from(whole.data, 'latin1').toString(), data);
    return `${Object.keys(fields).length} fields, ${data === undefined ? 'no' : 'some'} data`;
  },
};
