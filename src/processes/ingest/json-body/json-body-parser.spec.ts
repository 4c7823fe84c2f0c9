import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequestError, UnreadableBodyError } from '../../../http/common.errors.js';
import { JsonBodyParser } from './json-body-parser.js';

interface Parsed {
  readonly fields: Record<string, unknown>;
  readonly data: string | undefined;
}

/** Parses a body that arrives in chunks, cut before these places. */
function parse(body: string | Uint8Array, cuts: readonly number[] = []): Parsed {
  const bytes = Buffer.from(body);
  const texts: Buffer[] = [];
  const parser = new JsonBodyParser((text) => texts.push(text));
  const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  for (const [index, end] of places.slice(1).entries()) parser.write(Buffer.from(bytes.subarray(places[index], end)));
  const fields = parser.end();
  return { fields, data: parser.hasData ? Buffer.concat(texts).toString('utf8') : undefined };
}

/** Every place where a body can be cut, one at a time, and all of them together. */
function everyCut(body: string): number[][] {
  const places = Array.from({ length: Buffer.byteLength(body) + 1 }, (_, index) => index);
  return [places, ...places.map((place) => [place])];
}

/** JSON of a text in which every character, or only those that must, is an escape. */
function toJson(text: string, style: 'short' | 'escaped' | 'slashed'): string {
  if (style === 'short') return JSON.stringify(text);
  if (style === 'slashed') return JSON.stringify(text).replaceAll('/', '\\/');
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, '0'));
  return `"${units.map((unit, index) => `\\u${index % 2 ? unit.toUpperCase() : unit}`).join('')}"`;
}

const TEXT = fc.string({ unit: 'grapheme', maxLength: 40 });
const STYLE = fc.constantFrom('short' as const, 'escaped' as const, 'slashed' as const);
const SPACE = fc.constantFrom('', ' ', '\n\t', '\r\n  ');
/** Without lone surrogates, which are no text. */
const FIELD = fc.jsonValue().filter((value) => typeof value !== 'string' || value.isWellFormed());
const CUTS = fc.array(fc.nat(), { maxLength: 30 });

describe('JsonBodyParser', () => {
  it('takes the text of data out of the object, wherever it stands', () => {
    const csv = 'a,b\n"x\ty",é😀\u2028\\/\n';
    for (const body of [
      { table_name: 't', data: csv, is_private: true },
      { data: csv, table_name: 't', is_private: true },
      { table_name: 't', is_private: true, data: csv },
    ])
      expect(parse(JSON.stringify(body))).toEqual({ fields: { table_name: 't', is_private: true }, data: csv });
  });

  it('rejects a byte order mark that is not the first character', () => {
    expect(parse('\ufeff {}')).toEqual({ fields: {}, data: undefined });
    expect(() => parse(' \ufeff{}')).toThrow(UnreadableBodyError);
    expect(() => parse(Buffer.from('\xef \xbb\xbf{}', 'latin1'))).toThrow(UnreadableBodyError);
  });

  it('understands a body however it is cut', () => {
    const body = ' {"n" : [1, {"a]": "\\"}"}], "data":"a\\n\\"é\\ud83d\\uDE00\\u00e9\\/\\u0041", "e":-1.5e3,"t":true} ';
    const whole = JSON.parse(body);
    for (const cuts of everyCut(body)) {
      const { data, ...fields } = whole;
      expect(parse(body, cuts)).toEqual({ fields, data });
    }
  });

  it('reads any object as it was written, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.dictionary(TEXT, FIELD, { maxKeys: 5 }),
        TEXT,
        STYLE,
        SPACE,
        fc.nat({ max: 5 }),
        CUTS,
        (fields, data, style, space, position, cuts) => {
          const others = Object.entries(fields).filter(([key]) => key !== 'data');
          const pairs = others.map(
            ([key, value]) => `${space}${toJson(key, style)}${space}:${space}${JSON.stringify(value)}${space}`,
          );
          pairs.splice(position, 0, `${space}"data"${space}:${space}${toJson(data, style)}${space}`);
          const body = `${space}{${pairs.join(',')}}${space}`;
          const parsed = parse(
            body,
            cuts.map((cut) => cut % (Buffer.byteLength(body) + 1)),
          );
          // `JSON.parse` of all of it rarely mistakes an escaped key for another one.
          const expected = others.map(([key, value]) => [key, JSON.parse(JSON.stringify(value))]);
          expect(parsed).toEqual({ fields: Object.fromEntries(expected), data });
        },
      ),
    );
  });

  it.each(['', ' \n', '{}', ' { } ', '\ufeff', '\ufeff{}'])('takes %j as an object without fields', (body) => {
    expect(parse(body)).toEqual({ fields: {}, data: undefined });
  });

  it('takes the empty text for data', () => {
    expect(parse('{"data":""}')).toEqual({ fields: {}, data: '' });
  });

  it.each([
    '{',
    '{"data":"a',
    '{"data":"a"',
    '{"data":"a\\',
    '{"data":"a\\u00',
    '{"data"}',
    '{"a":1',
    '{"a":{"b":1}',
    '{"a":tru}',
    '{"a":01}',
    '{"a":1 2}',
    '{"a":}',
    '{"a":[1}',
    '{"a":[1}]}',
    '{"a":1,}',
    '{,}',
    '{a:1}',
    "{'a':1}",
    '{"a" 1}',
    '{"a":1}}',
    '{"a":1}x',
    '{"a":1}{}',
    '[]',
    'null',
    '"data"',
    '5',
    'a,b\n1,2\n',
    '{"data":"a","data":"b"}',
    '{"a":1,"a":1}',
    '{"data":"a","d\\u0061ta":"b"}',
    '{"data":"a\nb"}',
    '{"data":"a\tb"}',
    '{"data":"a\0b"}',
    '{"a":"a\nb"}',
    '{"data":"\\x"}',
    '{"data":"\\u00g0"}',
    '{"data":"\\ud83d"}',
    '{"data":"\\ud83dx"}',
    '{"data":"\\ud83d\\n"}',
    '{"data":"\\ud83d\\ud83d"}',
    '{"data":"\\ude00"}',
    '{"a":"\\ud83d"}',
    '\ufeff\ufeff{}',
    '{}\ufeff',
  ])('refuses %j, however it is cut', (body) => {
    for (const cuts of everyCut(body)) expect(() => parse(body, cuts)).toThrow(UnreadableBodyError);
  });

  it('refuses a field that is nested too deeply for whoever reads it', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(() => parse(nested(64))).not.toThrow();
    expect(() => parse(nested(65))).toThrow(UnreadableBodyError);
  });

  it.each(['{"data":5}', '{"data":null}', '{"data":["a"]}', '{"data":{}}'])(
    'tells that data must be text: %j',
    (body) => {
      for (const cuts of everyCut(body)) expect(() => parse(body, cuts)).toThrow('data: must be text');
    },
  );

  it('refuses fields that are no UTF-8', () => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff), Buffer.from('"}')]);
    expect(() => parse(body)).toThrow(UnreadableBodyError);
  });

  it('gives the bytes of data on as they are, to be checked with the line they stand on', () => {
    const texts: Buffer[] = [];
    const parser = new JsonBodyParser((text) => texts.push(text));
    parser.write(Buffer.concat([Buffer.from('{"data":"'), Buffer.of(0xff), Buffer.from('"}')]));
    expect(Buffer.concat(texts)).toEqual(Buffer.of(0xff));
  });

  it('refuses other fields that are not small', () => {
    const large = JSON.stringify({ description: 'x'.repeat(70_000), data: 'a' });
    expect(() => parse(large)).toThrow(InvalidRequestError);
    expect(() => parse(`{"a":[${'1,'.repeat(70_000)}`)).toThrow(InvalidRequestError);
    expect(() => parse(`{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`)).toThrow(
      InvalidRequestError,
    );
  });

  it('keeps keys such as __proto__ as what they are', () => {
    const { fields } = parse('{"__proto__":{"is_private":true},"constructor":1}');
    expect(Object.keys(fields)).toEqual(['__proto__', 'constructor']);
    expect(fields.is_private).toBeUndefined();
  });
});
