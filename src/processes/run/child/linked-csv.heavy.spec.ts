import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LinkedTextFolder } from '../../../../test/support/linked-text.js';

let folder: LinkedTextFolder;

beforeAll(async () => {
  folder = await LinkedTextFolder.open();
});

afterAll(() => folder.close());

/** CSV that readers are known to take in several ways. */
const AWKWARD: readonly (readonly [string, string])[] = [
  ['ids beyond a double', 'id\n765629939811020802\n765629939811020803\n\n'],
  ['ids beyond a double with one missing', 'id,t\n765629939811020802,x\n,y\n'],
  ['a number beyond a double', 'n\n1e400\n1\n'],
  ['an integer of 23 digits', 'n\n12345678901234567890123\n1\n'],
  ['integers of 64 bits and one more', 'n\n9223372036854775807\n-9223372036854775808\n9223372036854775808\n'],
  ['decimals of many digits', 'n\n0.1234567890123456789\n1.5\n'],
  ['the empty string and NULL', 'a,b\n"",\n,""\nx,y\n'],
  ['the empty string in one column', 'a\n""\n\nx\n'],
  ['dates of an unknown order', 'd\n01/02/2024\n13/02/2024\n'],
  ['dates that any order fits', 'd\n01/02/2024\n'],
  ['ISO dates and times', 'd,t,z\n2024-02-29,2024-02-29 13:45:59.123456,2024-02-29T13:45:59+01:00\n,,\n'],
  ['words that are no booleans', 'a,b,c\nYes,true,t\nNo,FALSE,f\n'],
  ['numbers like text of digits', 'a,b,c\n007,+5,1.\n1,2,3\n'],
  ['NaN and infinities', 'a,b\nNaN,1\nInfinity,2\n-Infinity,3\n1.5,nan\n'],
  ['minus zero', 'a\n-0\n1\n'],
  ['exponents', 'a\n1e5\n2.50\n'],
  ['a mixture', 'a\n1\nx\n2024-01-01\n'],
  ['no rows', 'a,b\n'],
  ['an empty column', 'a,b\n1,\n2,\n'],
  ['spaces', 'a,b\n 1 , x \n2,y\n'],
  ['quotes', 'a,b\n"x ""y""","1"\n"","2"\n"a,b","3"\n'],
  ['line breaks in quotes', 'a,b\n"x\ny",1\n"x\r\ny",2\n"x\ry",3\n'],
  ['quotes within bare cells', 'a,b\n5" pipe,1\nx"y"z,2\n"q""q",3\n'],
  ['a quote after a space', 'a,b\n "x",1\n" ""y",2\n'],
  ['CR LF', 'a,b\r\n1,x\r\n2,y\r\n'],
  ['mixed line ends', 'a,b\r\n1,x\n2,y\r\n\r\n3,z\n'],
  ['mixed line ends in one column', 'a\nb\r\n\n""\r\n\r\nc\n'],
  ['a byte order mark', '\ufeffa,b\n1,x\n'],
  ['a byte order mark and quotes', '\ufeff"a","b"\n"1","x"\n'],
  ['a trailing comma', 'a,b,\n1,x,\n2,y\n,,\n'],
  ['empty lines', 'a,b\n\n1,x\n\n\n2,y\n\n'],
  ['no line feed at the end', 'a,b\n1,x\n2,"y"'],
  ['comments that are none', 'a,b\n#1,x\n2,#y\n'],
  ['backslashes', 'a,b\n\\N,x\n"\\",y\n'],
  ['single quotes', "a,b\n'1','x\n"],
  ['semicolons', 'a;b\n1,5;x\n2;"y;z"\n'],
  ['tabs', 'a\tb\n1\tx\n2\t\n'],
  ['bars', 'a|b\n1|x\n2|y\n'],
  ['emojis and accents', 'é,ü 🦆\nñ,🦆\n'],
  ['names in capitals', 'Name,NUMBER\nx,1\n'],
];

describe('a linked CSV file', () => {
  it.each(AWKWARD)('has every value that an upload of it has: %s', async (what, text) => {
    const place = `awkward/${what}.csv`;
    await folder.write(place, text);
    const uploaded = await folder.upload(text);
    const described = await folder.describe(place);
    expect(described.rowCount).toBe(uploaded.rows.length);
    expect(await folder.read(place, described)).toEqual(uploaded);
    expect(await folder.read(place, described, false)).toEqual(uploaded);
    await folder.write(`${place}.gz`, gzipSync(text));
    expect(await folder.link(`${place}.gz`)).toEqual(uploaded);
  });

  it.each([
    ['a ragged row', 'a,b\n1,2\n3\n'],
    ['an open quote', 'a,b\n1,"x\n'],
    ['text after quotes', 'a,b\n"x"y,1\n'],
    ['NUL', 'a\nx\0\n'],
    ['bytes that are no text', Buffer.from([0x61, 0x0a, 0xff, 0x0a])],
    ['a lone carriage return', 'a\rb\n'],
    ['two columns of one name', 'a,A\n1,2\n'],
    ['a column without a name', 'a,,b\n1,2,3\n'],
    ['a name that begins with a digit', 'state,2022\nx,1\n'],
    ['nothing', ''],
    ['an empty first line', '\na\n1\n'],
  ])('is refused in the words that an upload of it is refused in: %s', async (what, text) => {
    const place = `refused/${what}.csv`;
    await folder.write(place, text);
    const refusal = await folder.upload(text).then(
      () => '',
      ({ message }: Error) => message,
    );
    expect(refusal).toMatch(/^line \d+: /);
    await expect(folder.describe(place)).rejects.toMatchObject({
      code: 'unreadable_files',
      message: expect.stringContaining(`The file ${place} cannot be read: ${refusal}`),
    });
  });

  it('has every value that an upload of it has where several threads read it', async () => {
    const row = (n: number) => `${n},"text, ${n % 7}","${n}""${n}",${n % 3 === 0 ? '' : n / 8},2024-01-0${(n % 9) + 1}`;
    const text = `a,b,c,d,e\n${Array.from({ length: 100_000 }, (_, n) => row(n)).join('\n')}\n`;
    await folder.write('large.csv', text);
    expect(await folder.link('large.csv')).toEqual(await folder.upload(text));
  });

  it('has every value that an upload of it has, whatever characters stand in it', async () => {
    const random = mulberry(7);
    const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
    const some = (most: number, make: () => string) => Array.from({ length: Math.floor(random() * most) }, make);
    const cell = () => {
      const text = some(5, () => pick(['a', '1', ',', '"', ' ', '\n', '\r\n', 'é', ';', '\t', '0', '.'])).join('');
      return pick([() => `"${text.replaceAll('"', '""')}"`, () => text.replaceAll(/[",\r\n]/g, ''), () => ''])();
    };
    for (let round = 0; round < 30; round++) {
      const lineEnd = pick(['\n', '\r\n']);
      const rows = some(20, () => `${cell()},${cell()},${cell()}`);
      const text = `${pick(['', '\ufeff'])}a,b,c${lineEnd}${rows.map((one) => one + lineEnd).join('')}`;
      await folder.write('random.csv', text);
      const described = await folder.describe('random.csv', { delimiter: ',' });
      const uploaded = await folder.upload(text);
      expect({ text, ...(await folder.read('random.csv', described)) }).toEqual({ text, ...uploaded });
    }
  });
});

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
