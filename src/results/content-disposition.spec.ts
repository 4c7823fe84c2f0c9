import { describe, expect, it } from '@jest/globals';
import { contentDisposition } from './content-disposition.js';

describe('contentDisposition', () => {
  it.each([
    ['report', '.csv', 'attachment; filename="report.csv"'],
    ['Report.CSV', '.csv', 'attachment; filename="Report.CSV"'],
    ['a.csv', '.json', 'attachment; filename="a.csv.json"'],
    ['', '.json', 'attachment; filename="result.json"'],
    ['../etc/passwd', '.csv', 'attachment; filename=".._etc_passwd.csv"'],
    ['a"; x="b\r\nset-cookie: c', '.csv', 'attachment; filename="a_; x=_b__set-cookie_ c.csv"'],
    ['Größe (1)', '.csv', `attachment; filename="Gr__e (1).csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29.csv`],
    ['a\ud800', '.csv', `attachment; filename="a_.csv"; filename*=UTF-8''a%EF%BF%BD.csv`],
  ])('names %j with %s: %s', (name, extension, header) => {
    expect(contentDisposition(name, extension)).toBe(header);
  });
});
