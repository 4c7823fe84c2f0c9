import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CsvScanner } from './csv-scanner.js';

interface Scanned {
  readonly line: number;
  /** Null for no value. */
  readonly cells: readonly (string | null)[];
}

/** Scans a text that comes in blocks, which grow as long as a record does not fit. */
function scan(text: string, blockLength = Number.POSITIVE_INFINITY): Scanned[] {
  const records: Scanned[] = [];
  const scanner = new CsvScanner((record) => {
    const cells = Array.from({ length: record.count }, (_, index) =>
      record.isNull(index) ? null : record.text(index),
    );
    records.push({ line: record.line, cells });
  });
  const bytes = Buffer.from(text);
  let start = 0;
  let length = blockLength;
  for (;;) {
    const end = Math.min(bytes.length, start + length);
    const used = scanner.take(Buffer.from(bytes.subarray(start, end)), end === bytes.length);
    if (end === bytes.length) return records;
    start += used;
    length = used === 0 ? 2 * length : blockLength;
  }
}

/** A cell, and one of the ways to write it. */
const CELL = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', '1', '"', ',', '\n', '\r\n', ' ', 'é', '😀'), maxLength: 6 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([text, isNull, wantsQuotes]) => {
    if (isNull) return { value: null, written: '' };
    const needsQuotes = wantsQuotes || text === '' || text.startsWith('"') || /[,\r\n]/.test(text);
    return { value: text, written: needsQuotes ? `"${text.replaceAll('"', '""')}"` : text };
  });

const RECORD = fc.tuple(fc.array(CELL, { minLength: 2, maxLength: 4 }), fc.constantFrom('\n', '\r\n'));

describe('CsvScanner', () => {
  it('finds the cells that were written, wherever the pieces are cut', () => {
    fc.assert(
      fc.property(
        fc.array(RECORD, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        (records, isOpen, length) => {
          const text = records
            .map(([cells, newline]) => cells.map(({ written }) => written).join(',') + newline)
            .join('');
          const whole = isOpen ? text.replace(/\r?\n$/, '') : text;
          const scanned = scan(whole, length);
          expect(scanned.map(({ cells }) => cells)).toEqual(records.map(([cells]) => cells.map(({ value }) => value)));
          const linesBefore = (index: number) =>
            records.slice(0, index).flatMap(([cells, newline]) => [...cells.map(({ written }) => written), newline]);
          expect(scanned.map(({ line }) => line)).toEqual(
            records.map((_, index) => linesBefore(index).join('').split('\n').length),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['a,b\n1,2\n', false],
    ['a,b\r\n1,2\r\n', false],
    ['"a","b ""c"""\n', false],
    ['a,b\r\n1,2\n', true],
    ['a,b"c\n', true],
    [' "a"\n', true],
    ['\ufeffa\n', true],
  ])('tells whether the engine might understand %j otherwise: %s', (text, isUnusual) => {
    const scanner = new CsvScanner(() => {});
    scanner.take(Buffer.from(text), true);
    const { isUnusual: isFound, hasByteOrderMark } = scanner.dialect;
    expect(isFound || hasByteOrderMark).toBe(isUnusual);
  });

  it.each(['\n', '\r', '\r\n'])('notes line breaks within cells, and the longest record: %j', (lineBreak) => {
    const scanner = new CsvScanner(() => {});
    scanner.take(Buffer.from(`a\n"b${lineBreak}c"\n`), true);
    expect(scanner.dialect).toMatchObject({ hasQuotedNewline: true, longestRecordBytes: 5 + lineBreak.length });
  });
});
