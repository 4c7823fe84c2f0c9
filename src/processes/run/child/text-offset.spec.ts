import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Connection } from '../../../duckdb/connection/connection.js';
import { raw } from '../../../duckdb/sql.js';
import { openSandbox } from './sandbox.js';
import { StatementError } from './statement-error.js';
import { asCounted, toTextOffset } from './text-offset.js';

let connection: Connection;

beforeAll(async () => {
  connection = await openSandbox();
});

afterAll(() => connection.close());

async function faultOf(text: string): Promise<StatementError> {
  const error = await connection.rows(raw(text)).catch((thrown: unknown) => thrown);
  return StatementError.from(error);
}

describe('toTextOffset', () => {
  it.each([
    'SELECT nosuch',
    "SELECT 'ü🦆', nosuch",
    'SELECT\r\n  1, nosuch',
    'SELECT\u00a01,\u3000\ufeffnosuch',
    "SELECT '\u00a0'\u00a0, nosuch",
    'SELECT "\u2003" FROM (SELECT 1 AS "\u2003") WHERE\u2003nosuch',
    'SELECT 1 --\u00a0\n,\u00a0nosuch',
    'SELECT /*\u00a0*/ nosuch',
    "SELECT 1 /* ' */, '\u00a0', nosuch",
    'SELECT $$\u00a0$$,\u00a0nosuch',
    'SELECT $a$\u00a0$$\u00a0$a$,\u00a0nosuch',
  ])('finds the place that the engine reports: %j', async (text) => {
    const { byteOffset = -1, message } = await faultOf(text);
    expect({ message, offset: toTextOffset(text, byteOffset) }).toEqual({
      message: expect.stringContaining('nosuch'),
      offset: text.indexOf('nosuch'),
    });
  });
});

describe('asCounted', () => {
  it('replaces the characters that the engine takes for spaces, and no others', async () => {
    const differing: string[] = [];
    for (let code = 0x80; code <= 0xffff; code++) {
      const character = String.fromCharCode(code);
      if (!character.isWellFormed() || !/[\p{Z}\p{C}]/u.test(character)) continue;
      const isSpace = await faultOf(`SELECT${character}nosuch`).then(({ message }) => message.includes('"nosuch"'));
      if (isSpace !== (asCounted(character) === ' ')) differing.push(code.toString(16));
    }
    expect(differing).toEqual([]);
  }, 60_000);
});
