import { describe, expect, it } from '@jest/globals';
import { findColumnNameIssue } from '../../column-name.js';
import { findDelimiter } from './find-delimiter.js';

function find(text: string, isWhole = true, hasHeader = true): string | undefined {
  return findDelimiter(Buffer.from(text), isWhole, (name) => findColumnNameIssue(name) === undefined, hasHeader);
}

describe('findDelimiter', () => {
  it.each<[string, string, string]>([
    [',', 'commas', 'a,b,c\n1,2,3\n'],
    [';', 'semicolons', 'a;b;c\n1;2;3\n'],
    ['\t', 'tabs', 'a\tb\tc\n1\t2\t3\n'],
    ['|', 'pipes', 'a|b|c\n1|2|3\n'],
    [';', 'CR LF', 'a;b\r\n1;2\r\n'],
    [';', 'a byte order mark', '\ufeffa;b\n1;2\n'],
    [';', 'a header alone', 'a;b'],
    [';', 'decimal commas', 'name;size\nx;1,5\ny;2,5\n'],
    [';', 'decimal commas and a comma in the header', 'name;size, cm;weight, kg\nx;1,5;2,5\ny;2,5;3,5\n'],
    [';', 'years as names', 'name;2020, all;2021, all\nx;1,5;2,5\n'],
    [';', 'a trailing delimiter', 'a;b;\n1;2;\n3;4\n'],
    [';', 'empty lines', 'a;b\n\n1;2\n\n'],
    [';', 'quotes around everything', '"a";"b"\n"1,2";"x"\n'],
    ['|', 'commas and semicolons in the cells', 'a|b\nx, y; z|1\n'],
    ['\t', 'a quoted line break in the header', '"a\nb"\tc\n1\t2\n'],
  ])('finds %j in a text with %s', (delimiter, _, text) => {
    expect(find(text)).toBe(delimiter);
  });

  it.each([
    ['many semicolons in its cells', 'id,tags\n1,a;b;c\n2,d;e;f\n'],
    ['quoted semicolons in its header, too', 'id,"a;b;c"\n1,"x;y;z"\n'],
    ['tabs and pipes in its cells', 'id,text\n1,a\tb|c\n2,d\te|f\n'],
    ['a semicolon in a name', 'id,a;b\n1,2\n3,4\n'],
    ['too many values in a row', 'a,b\n1,2,3\n'],
    ['too few values in a row', 'a,b\n1\n'],
  ])('stays with the comma in a text of commas with %s', (_, text) => {
    expect(find(text)).toBe(',');
  });

  it.each([
    ['nothing else', 'a\n1\n2\n'],
    ['semicolons in its cells', 'note\na;b\nc;d\n'],
    ['a semicolon in its name only', 'a;b\n1\n2\n'],
    ['a quoted name with semicolons', '"a;b"\nx\n'],
    ['no record', ''],
  ])('takes the comma for a single column with %s', (_, text) => {
    expect(find(text)).toBe(',');
  });

  it.each([
    ['a row is too short', 'a;b;c\n1;2;3\n4;5\n'],
    ['a row is too long', 'a;b\n1;2;3\n'],
    ['a quote never ends', 'a;b\n1;"2\n'],
    ['text stands after a quote', 'a;b\n1;"x"y\n'],
  ])('finds the semicolon of a header also where %s', (_, text) => {
    expect(find(text)).toBe(';');
  });

  it('takes the first record for one of data where there is no header', () => {
    expect(find('1;2,5;x\n3;4,5;y\n', true, false)).toBe(';');
  });

  it('returns nothing while the header is incomplete', () => {
    expect(find('a_long_na', false)).toBeUndefined();
    expect(find('"a;b', false)).toBeUndefined();
    expect(find('a;b\n1;', false)).toBe(';');
  });
});
