/** Codes of the characters that the syntax of CSV, JSON, numbers and times is made of. */
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const POINT = 0x2e;
export const DIGIT_0 = 0x30;
export const DIGIT_9 = 0x39;
export const COLON = 0x3a;
export const CAPITAL_E = 0x45;
export const CAPITAL_T = 0x54;
export const CAPITAL_Z = 0x5a;
export const OPENING_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSING_BRACKET = 0x5d;
export const SMALL_E = 0x65;
export const SMALL_U = 0x75;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;

/** 1 for the bytes that stand for themselves in a JSON string. */
export const PLAIN_IN_STRING = new Uint8Array(256).fill(1, SPACE);
PLAIN_IN_STRING[QUOTE] = 0;
PLAIN_IN_STRING[BACKSLASH] = 0;

/** The byte that a JSON escape of one character stands for, by that character; 0 for all others. */
export const SHORT_ESCAPES = new Uint8Array(256);
const ESCAPED = Buffer.from('"\\/\b\f\n\r\t');
for (const [index, character] of Buffer.from('"\\/bfnrt').entries())
  SHORT_ESCAPES[character] = ESCAPED[index] as number;

/** What a text in UTF-8 may begin with. */
export const BYTE_ORDER_MARK = Buffer.from('\ufeff');
