import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LinkedTextFolder } from '../../../../test/support/linked-text.js';

let folder: LinkedTextFolder;

beforeAll(async () => {
  folder = await LinkedTextFolder.open();
});

afterAll(() => folder.close());

const lines = (...values: string[]) => values.map((value) => `{"x": ${value}}\n`).join('');

describe('a linked NDJSON file', () => {
  it.each([
    ['ids beyond a double', ['765629939811020802', 'null'], 'bigint', ['765629939811020802', null]],
    ['an integer of 23 digits', ['12345678901234567890123', '1'], 'decimal(38, 0)', ['12345678901234567890123', '1']],
    ['integers beyond 38 digits', ['1'.repeat(40), '1'], 'varchar', ['1'.repeat(40), '1']],
    [
      'doubles',
      ['0.1', '2.50', '1e22', '0.30000000000000004'],
      'double',
      ['0.1', '2.5', '1e+22', '0.30000000000000004'],
    ],
    ['a number beyond a double', ['1e400'], 'varchar', ['1e400']],
    ['integers beyond a double beside fractions', ['0.5', '100000000000001'], 'double', ['0.5', '100000000000001.0']],
    ['decimals in quotes', ['"0.12345678901234567890"'], 'varchar', ['0.12345678901234567890']],
    ['booleans', ['true', 'false'], 'boolean', ['true', 'false']],
    ['text', ['""', '"Yes"', '"01/02/2024"', 'null'], 'varchar', ['', 'Yes', '01/02/2024', null]],
    ['escapes', ['"\\u00e9\\n\\"\\ud83e\\udd86"'], 'varchar', ['é\n"🦆']],
    ['text of digits', ['"007"', '"12"'], 'varchar', ['007', '12']],
    ['dates', ['"2024-02-29"'], 'date', ['2024-02-29']],
    ['times', ['"2024-02-29T13:45:59.123456"'], 'timestamp', ['2024-02-29 13:45:59.123456']],
    ['times with a zone', ['"2024-02-29T13:45:59+01:00"'], 'timestamp with time zone', ['2024-02-29 12:45:59+00']],
    ['a mixture', ['"a"', '1', '1.5', 'true', '5.0'], 'varchar', ['a', '1', '1.5', 'true', '5.0']],
    ['nested values', ['{"b": [1, 765629939811020802]}', '[]'], 'json', ['{"b":[1,765629939811020802]}', '[]']],
    ['nested values beside others', ['[1]', '"a"', '2'], 'json', ['[1]', '"a"', '2']],
    ['keys twice in a nested value', ['{"a": 1, "a": 2}'], 'json', ['{"a":1,"a":2}']],
    ['nothing but null', ['null'], 'varchar', [null]],
  ])('has every value as it is written: %s', async (what, values, type, expected) => {
    const place = `exact/${what}.ndjson`;
    await folder.write(place, lines(...values));
    const described = await folder.describe(place);
    const table = { columns: [`x ${type}`], rows: expected.map((value) => [value]) };
    expect(await folder.read(place, described)).toEqual(table);
    expect(await folder.read(place, described, false)).toEqual(table);
    await folder.write(`${place}.gz`, gzipSync(lines(...values)));
    expect(await folder.link(`${place}.gz`)).toEqual(table);
  });

  it('has NULL where a line has no such key, and columns in the order in which they come', async () => {
    await folder.write('keys.ndjson', '{"b":1}\n\n{"a":"x","b":2}\n{}\n  {"a":"y"} ');
    expect(await folder.link('keys.ndjson')).toEqual({
      columns: ['b bigint', 'a varchar'],
      rows: [
        ['1', null],
        ['2', 'x'],
        [null, null],
        [null, 'y'],
      ],
    });
  });

  const LONG = 'has more digits than a double keeps: write it in quotes';

  it.each([
    [
      'a long decimal',
      lines('1', '0.1234567890123456789'),
      `line 2: column x: the number 0.1234567890123456789 ${LONG}`,
    ],
    [
      'a long decimal among text',
      lines('"a"', '0.12345678901234567'),
      `line 2: column x: text would not keep the number`,
    ],
    ['a long decimal in a nested value', lines('[0.12345678901234567]'), `the number 0.12345678901234567 ${LONG}`],
    [
      'a number that text would not keep',
      lines('"a"', '1.50'),
      'line 2: column x: text would not keep the number 1.50',
    ],
    ['a key twice', '{"x":1,"x":2}\n', "line 1: the key 'x' stands there twice"],
    ['keys that differ in case', '{"x":1}\n{"X":2}\n', "line 2: the keys 'x' and 'X' differ in case alone"],
    ['NaN', lines('NaN'), "line 1: the key 'x' has no value of JSON"],
    ['an array', '[1]\n', "line 1: an object in braces should stand before '[1]'"],
    ['a broken value', lines('[1,]'), "line 1: the value of the key 'x' is not well-formed"],
    ['a broken value of a string', lines('"\\ud800"'), 'line 1: a string holds an escape that is none'],
    ['NUL', lines('"\\u0000"'), 'line 1: a NUL character'],
    [
      'half of a pair in a nested value',
      lines('["\\ud800"]'),
      "line 1: the value of the key 'x' holds what is no text",
    ],
    ['a byte order mark', '\ufeff{"x":1}\n', 'line 1: a byte order mark'],
    ['a comma at the end', '{"x":1,}\n', 'line 1: a key in quotes should stand before'],
    ['values nested deeply', lines(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'line 1: '],
    ['two objects on a line', '{"x":1} {"x":2}\n', 'line 1: one object a line, and nothing after it'],
    ['no columns', '\n\n', 'The files have no columns'],
  ])('is refused with the line: %s', async (what, text, reason) => {
    await folder.write(`refused/${what}.ndjson`, text);
    await expect(folder.describe(`refused/${what}.ndjson`)).rejects.toMatchObject({
      code: 'unreadable_files',
      message: expect.stringContaining(reason),
    });
  });

  it('is refused with the name of the file that has the value, of several', async () => {
    await folder.write('several/1.ndjson', lines('"a"'));
    await folder.write('several/2.ndjson', lines('1', '1.10'));
    await folder.write('several/3.ndjson', lines('"b"'));
    await expect(folder.describe('several')).rejects.toMatchObject({
      message:
        'The file several/2.ndjson cannot be read: line 2: column x: text would not keep the number 1.10 as it is: write it in quotes',
    });
  });
});
